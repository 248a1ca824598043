"""cached.py PORT CONNECTIONS OPERATIONS: asks memcached, one thread a connection; cached.py PORT shutdown: ends it."""
import socket
import sys
import threading


def connect():
    connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=60)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection, connection.makefile('rb')


def ask(number, operations):
    connection, answers = connect()
    for i in range(operations):
        key = b'key%d' % (i * 7919 % 500 + number % 2 * 250)
        if i % 3 == 0:
            value = b'%d by %d ' % (i, number) * 20
            connection.sendall(b'set %s 0 0 %d\r\n%s\r\n' % (key, len(value), value))
            answers.readline()
        elif i % 3 == 1:
            connection.sendall(b'get %s\r\n' % key)
            while answers.readline() not in (b'END\r\n', b''):
                pass
        else:
            connection.sendall(b'incr counter 1\r\n')
            answers.readline()
    connection.close()


if sys.argv[2] == 'shutdown':
    connect()[0].sendall(b'shutdown\r\n')
else:
    connection, answers = connect()
    connection.sendall(b'set counter 0 0 1\r\n0\r\n')
    answers.readline()
    count = int(sys.argv[2])
    threads = [threading.Thread(target=ask, args=(i, int(sys.argv[3]) // count)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    connection.close()
