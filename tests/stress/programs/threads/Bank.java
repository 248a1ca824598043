// Bank URL CLIENTS TRANSACTIONS [PORT]: clients that move money, place orders and ask for reports over JDBC, each on a
// connection of its own. With PORT, which is put into the URL, the database is a server (BankServer) and is stopped.

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

public class Bank {
    private static final int ACCOUNTS = 200, ARTICLES = 500;
    private static final AtomicInteger retries = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        String url = args.length > 3 ? args[0].replace("PORT", args[3]) : args[0];
        int clients = Integer.parseInt(args[1]), transactions = Integer.parseInt(args[2]);
        try (Connection connection = DriverManager.getConnection(url)) {
            build(connection);
            Crew.together(clients, client -> serve(url, client, transactions / clients));
            report(connection);
            if (args.length > 3) {
                connection.createStatement().execute("CREATE ALIAS STOP FOR 'BankServer.stop'");
                connection.createStatement().execute("CALL STOP()");
            }
        }
    }

    private static void build(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account(id INT PRIMARY KEY, owner VARCHAR(20), balance BIGINT)");
            statement.execute("CREATE TABLE article(id INT PRIMARY KEY, name VARCHAR(20), price INT, stock INT)");
            statement.execute("CREATE TABLE ledger(entry BIGINT AUTO_INCREMENT PRIMARY KEY, account INT, amount BIGINT)");
            statement.execute("CREATE TABLE line(entry BIGINT, number INT, article INT, PRIMARY KEY(entry, number))");
            statement.execute("CREATE INDEX by_account ON ledger(account)");
            statement.execute("INSERT INTO account SELECT x, 'owner ' || MOD(x * 17, 40), 1000 FROM SYSTEM_RANGE(1, "
                    + ACCOUNTS + ")");
            statement.execute("INSERT INTO article SELECT x, 'article ' || x, MOD(x * 31, 90) + 1, 1000000"
                    + " FROM SYSTEM_RANGE(1, " + ARTICLES + ")");
        }
    }

    private static void serve(String url, int client, int transactions) throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            Clerk clerk = new Clerk(connection);
            for (int i = 0; i < transactions; i++) {
                long seed = client * 1_000_003L + i;
                for (int tries = 1; !clerk.tryOne(new Random(seed)); tries++) {
                    retries.incrementAndGet();
                    if (tries == 1000)
                        throw new IllegalStateException("transaction " + i + " of client " + client + " never gets done");
                }
            }
        }
    }

    /** The statements of one client. */
    private static final class Clerk {
        private final Connection connection;
        private final PreparedStatement look, change, enter, price, take, line, sum;

        Clerk(Connection connection) throws SQLException {
            this.connection = connection;
            look = connection.prepareStatement("SELECT balance FROM account WHERE id = ? FOR UPDATE");
            change = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
            enter = connection.prepareStatement("INSERT INTO ledger(account, amount) VALUES(?, ?)",
                    Statement.RETURN_GENERATED_KEYS);
            price = connection.prepareStatement("SELECT price FROM article WHERE id = ?");
            take = connection.prepareStatement("UPDATE article SET stock = stock - 1 WHERE id = ?");
            line = connection.prepareStatement("INSERT INTO line VALUES(?, ?, ?)");
            sum = connection.prepareStatement("SELECT COUNT(*), SUM(l.amount) FROM ledger l JOIN account a"
                    + " ON a.id = l.account WHERE a.owner = ?");
        }

        boolean tryOne(Random random) throws SQLException {
            try {
                int kind = random.nextInt(10);
                if (kind < 5) {
                    transfer(random);
                } else if (kind < 9) {
                    order(random);
                } else {
                    sum.setString(1, "owner " + random.nextInt(40));
                    first(sum);
                }
                connection.commit();
                return true;
            } catch (SQLException e) { // another one was faster: lock timeout, deadlock
                connection.rollback();
                if (!(e.getErrorCode() == 50200 || e.getErrorCode() == 40001 || e.getErrorCode() == 90131))
                    throw e;
                return false;
            }
        }

        private void transfer(Random random) throws SQLException {
            int from = 1 + random.nextInt(ACCOUNTS), to = 1 + random.nextInt(ACCOUNTS), amount = random.nextInt(100);
            look.setInt(1, Math.min(from, to));
            first(look);
            look.setInt(1, Math.max(from, to));
            first(look);
            change(from, -amount);
            change(to, amount);
        }

        private void change(int account, int amount) throws SQLException {
            change.setLong(1, amount);
            change.setInt(2, account);
            change.executeUpdate();
            entry(account, amount);
        }

        private long entry(int account, int amount) throws SQLException {
            enter.setInt(1, account);
            enter.setLong(2, amount);
            enter.executeUpdate();
            try (ResultSet keys = enter.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }

        private void order(Random random) throws SQLException {
            int article = 1 + random.nextInt(ARTICLES), lines = 1 + random.nextInt(6);
            long entry = entry(1 + random.nextInt(ACCOUNTS), 0);
            for (int i = 0; i < lines; i++, article = article % ARTICLES + 1 + random.nextInt(3)) {
                price.setInt(1, Math.min(article, ARTICLES));
                first(price);
                take.setInt(1, Math.min(article, ARTICLES));
                take.executeUpdate();
                line.setLong(1, entry);
                line.setInt(2, i);
                line.setInt(3, article);
                line.executeUpdate();
            }
        }

        private static long first(PreparedStatement statement) throws SQLException {
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    /** The same in every run: money and goods. Another one: who made which entry. */
    static void report(Connection connection) throws Exception {
        System.out.println("money " + all(connection, "SELECT SUM(balance) FROM account"));
        System.out.println("goods " + Crew.digest(all(connection, "SELECT id, stock FROM article ORDER BY id")));
        System.out.println("entries " + Crew.digest(all(connection, "SELECT entry, account, amount FROM ledger ORDER BY entry"))
                + " retries " + retries);
    }

    private static String all(Connection connection, String query) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    text.append(i == 1 ? "" : " ").append(result.getString(i));
                }
                text.append(';');
            }
        }
        return text.toString();
    }
}
