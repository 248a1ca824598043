# Threads that share a queue and a lock; then files, times, children.
rounds = (2000 * ARGV[0].to_f).to_i
queue, lock, total = Queue.new, Mutex.new, 0
threads = 4.times.map do |number|
  Thread.new do
    rounds.times do |i|
      lock.synchronize { total = (total * 31 + number * 7 + i) % 1000003 }
      queue << number if i % 50 == 0
    end
  end
end
threads.each(&:join)
puts total
order = ''
order << queue.pop.to_s until queue.empty?
puts order
words = Hash.new(0)
order.each_char { |c| words[c] += 1 }
puts words, words.hash, Object.new.object_id, rand
File.write('tmp/order', order)
puts File.read('tmp/order').size, File.stat('in/ruby.rb').size, Dir.entries('in').sort.inspect
puts Process.pid, Time.now.nsec, `echo from a child`
