// groovy.groovy TEXT SCALE: closures and dynamic calls, collections, regular expressions, JSON and XML.
// What it prints depends on the text, the clock, random numbers and the hashes of objects.
import groovy.json.JsonOutput
import groovy.json.JsonSlurper
import groovy.transform.Canonical
import groovy.xml.MarkupBuilder

@Canonical
class Message {
    int number
    String kind, user, host, text

    int weight() { text.count(' ') + number % 7 }
}

def started = System.nanoTime()
def source = new File(args[0])
def scale = args[1] as double
def messages = []
source.eachLine { line ->
    def found = line =~ /^(\d+) (\w+) <([^@]+)@([\w.]+)> (.*)$/
    if (found) messages << new Message(found[0][1] as int, found[0][2], found[0][3], found[0][4], found[0][5])
}
messages = messages.take((int) (messages.size() * 0.4))

def byKind = messages.groupBy { it.kind }.collectEntries { kind, all -> [kind, all*.weight().sum()] }.sort()
println "kinds $byKind"
def users = messages.countBy { it.user }.sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }.take(5)
println "users $users"
def frequent = messages.collectMany { it.text.toLowerCase().findAll(/[a-z]+/) }.countBy { it }.findAll { it.value > 50 }
println "frequent ${frequent.size()} ${frequent.keySet().sort().take(4)}"

def collatz
collatz = { long n, int steps -> n == 1 ? steps : collatz.trampoline(n % 2 ? 3 * n + 1 : n.intdiv(2), steps + 1) }
collatz = collatz.trampoline()
println "collatz ${(1..(int) (2500 * scale)).collect { collatz(it, 0) }.max()}"

def primes = []
for (n in 2..(int) (9000 * scale)) if (primes.every { it * it > n || n % it }) primes << n
println "primes ${primes.size()} ${primes[-1]}"

def json = JsonOutput.toJson(messages.take(400).collect { [n: it.number, user: it.user, words: it.text.split(/\s+/) as List] })
println "json ${json.size()} ${new JsonSlurper().parseText(json).sum { it.words.size() }}"

def writer = new StringWriter()
new MarkupBuilder(writer).messages { messages.take(300).each { m -> message(number: m.number, from: "$m.user@$m.host") { text(m.text) } } }
def parsed = new XmlSlurper().parseText(writer.toString())
println "xml ${parsed.message.size()} ${parsed.message.findAll { it.@number.toInteger() % 2 }.size()}"

def later = new GroovyShell(new Binding(limit: 30)).evaluate('(1..limit).inject([1G, 1G]) { a, i -> [a[1], a[0] + a[1]] }')
println "evaluated $later"
Integer.metaClass.squared = { -> delegate * delegate }
println "metaclass ${(1..(int) (30000 * scale)).sum { it.squared() % 97 }}"

println "object ${new Object().hashCode()} ${[new Object(), new Object()] as Set}"
println "random ${Math.random()} ${UUID.randomUUID()} now ${new Date()} ${(System.nanoTime() - started)} ns"
println "listing ${source.absoluteFile.parentFile.list().sort()}"
