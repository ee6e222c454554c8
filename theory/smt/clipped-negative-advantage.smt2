; PPO's min(rho h, clip(rho, 1 - eps, 1 + eps) h) with h < 0 is rho h above 1 - eps and the constant (1 - eps) h below.
; unsat means that it holds.
(set-logic QF_NRA)
(declare-fun rho () Real)
(declare-fun h () Real)
(declare-fun eps () Real)
(assert (> rho 0))
(assert (< h 0))
(assert (> eps 0))
(assert (< eps 1))
(assert (distinct (ite (<= (* rho h) (* (ite (< rho (- 1 eps)) (- 1 eps) (ite (> rho (+ 1 eps)) (+ 1 eps) rho)) h)) (* rho h) (* (ite (< rho (- 1 eps)) (- 1 eps) (ite (> rho (+ 1 eps)) (+ 1 eps) rho)) h)) (ite (> rho (- 1 eps)) (* rho h) (* (- 1 eps) h))))
(check-sat)
