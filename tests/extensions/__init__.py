"""What goes beyond the paper: certificates, numbers found another way, and planted faults."""
