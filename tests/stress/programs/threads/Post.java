// Post: an ActiveMQ broker that keeps its messages in files, and threads that send them and take them over TCP.
//   Post DIR MESSAGES

import javax.jms.Connection;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.Session;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

public class Post {
    private static final StringBuffer TAKEN = new StringBuffer();

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        BrokerService broker = new BrokerService();
        broker.setDataDirectory(args[0]);
        broker.setUseJmx(false);
        broker.addConnector("tcp://127.0.0.1:0");
        broker.start();
        ActiveMQConnectionFactory factory =
                new ActiveMQConnectionFactory(broker.getTransportConnectors().get(0).getConnectUri());
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    work(factory, number, count);
                } catch (Exception e) {
                    e.printStackTrace();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        broker.stop();
        System.out.println(TAKEN);
    }

    private static void work(ActiveMQConnectionFactory factory, int number, int count) throws Exception {
        Connection connection = factory.createConnection();
        connection.start();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = session.createQueue("post");
        if (number < 2) {
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage(number + "." + i));
            }
        } else {
            MessageConsumer consumer = session.createConsumer(queue);
            for (int i = 0; i < count; i++) {
                TAKEN.append(number).append(" took ").append(((TextMessage) consumer.receive()).getText()).append('\n');
            }
        }
        connection.close();
    }
}
