; sum p_i^2 d_i - K = sum d_i (p_i - q_i)^2, written out with K for each q_i d_i, where p and q sum to one.
; k = 2; unsat means that it holds.
(set-logic QF_NRA)
(declare-fun p1 () Real)
(declare-fun p2 () Real)
(declare-fun q1 () Real)
(declare-fun q2 () Real)
(declare-fun d1 () Real)
(declare-fun d2 () Real)
(declare-fun K () Real)
(assert (= (+ p1 p2) 1))
(assert (= (+ q1 q2) 1))
(assert (distinct (- (+ (* p1 p1 d1) (* p2 p2 d2)) K) (+ (+ (* d1 p1 p1) (* -2 p1 K) (* q1 K)) (+ (* d2 p2 p2) (* -2 p2 K) (* q2 K)))))
(check-sat)
