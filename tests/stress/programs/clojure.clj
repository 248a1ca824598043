;; clojure.clj TEXT SCALE: persistent collections, lazy sequences, transducers, regular expressions, multimethods.
;; What it prints depends on the text, the clock, random numbers and the hashes of objects.
(require '[clojure.string :as string] '[clojure.set :as sets] '[clojure.edn :as edn] '[clojure.walk :as walk]
         '[clojure.java.io :as io])

(def started (System/nanoTime))
(let [[path scale] *command-line-args*]
  (def path path)
  (def scale (Double/parseDouble scale)))

(defrecord Message [number kind user host text])

(defn parse [line]
  (when-let [[_ number kind user host text] (re-matches #"(\d+) (\w+) <([^@]+)@([\w.]+)> (.*)" line)]
    (->Message (parse-long number) (keyword kind) user host text)))

(def messages
  (with-open [reader (io/reader path)]
    (into [] (keep parse) (line-seq reader))))

(println "messages" (count messages) (:text (first messages)))
(println "kinds" (into (sorted-map) (frequencies (map :kind messages))))
(println "users" (take 5 (sort-by (juxt (comp - val) key) (frequencies (map :user messages)))))
(println "words" (->> messages (mapcat #(re-seq #"[a-z]+" (string/lower-case (:text %)))) frequencies
                      (sort-by (juxt (comp - val) key)) (take 4)))

(def primes ((fn sieve [[p & more] composites]
               (lazy-seq
                 (if-let [factors (composites p)]
                   (sieve more (reduce #(update %1 (+ p %2) (fnil conj []) %2) (dissoc composites p) factors))
                   (cons p (sieve more (assoc composites (* p p) [p]))))))
             (iterate inc 2) {}))
(println "primes" (nth primes (int (* 8000 scale))))

(defmulti weigh :kind)
(defmethod weigh :note [m] (count (:text m)))
(defmethod weigh :mail [m] (* 2 (count (:host m))))
(defmethod weigh :default [m] (hash (:user m)))
(println "weights" (transduce (comp (map weigh) (filter odd?)) + messages))

(defn queens [n]
  (letfn [(safe? [placed column]
            (every? (fn [[distance other]] (and (not= other column) (not= distance (Math/abs (- (long other) (long column))))))
                    (map-indexed #(vector (inc %1) %2) placed)))]
    (reduce (fn [boards _] (for [board boards, column (range n) :when (safe? board column)] (cons column board)))
            [()] (range n))))
(println "queens" (count (queens (if (< scale 0.5) 6 8))))

(def text (pr-str (mapv #(into {} %) (take (int (* 3000 scale)) messages))))
(println "edn" (count text) (= (edn/read-string text) (mapv #(into {} %) (take (int (* 3000 scale)) messages))))
(println "walk" (hash (walk/postwalk #(if (string? %) (count %) %) (mapv #(into {} %) (take 2000 messages)))))
(println "sets" (count (sets/intersection (set (map :user messages)) (set (map :host messages)))))
(println "memo" (let [fib (atom nil)]
                  (reset! fib (memoize (fn [n] (if (< n 2) (bigint n) (+ (@fib (- n 1)) (@fib (- n 2)))))))
                  (@fib 90)))
(println "evaluated" (reduce + (map #(eval `(let [x# ~%] (* x# x#))) (range (int (* 120 scale))))))
(println "objects" (Object.) (set (repeatedly 3 #(Object.))))
(println "random" (rand) (shuffle (range 10)) (random-uuid))
(println "now" (str (java.time.Instant/now)) (- (System/nanoTime) started) "ns")
(println "listing" (sort (map str (.list (.getParentFile (.getAbsoluteFile (io/file path)))))))
