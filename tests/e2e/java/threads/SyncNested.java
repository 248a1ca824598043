// Transfers between accounts hold two locks at a time, always the one with the smaller number first.
// stdout: ^600 in all, [0-9]+ refused$
public class SyncNested {
    static class Account {
        final int number;
        int balance = 100;

        Account(int number) {
            this.number = number;
        }
    }

    static boolean transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        synchronized (first) {
            synchronized (first == from ? to : from) {
                if (from.balance < amount) {
                    return false;
                }
                from.balance -= amount;
                to.balance += amount;
                return true;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account[] accounts = new Account[6];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new Account(i);
        }
        int[] refused = new int[4];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                int from = (i * 5 + number) % 6;
                boolean done = transfer(accounts[from], accounts[(from + 1 + i % 5) % 6], 20 + i % 70);
                refused[number] += done ? 0 : 1;
                trail.saw(done);
            }
        });
        int sum = 0;
        for (Account account : accounts) {
            System.out.println("account " + account.number + " has " + account.balance);
            sum += account.balance;
        }
        System.out.println(sum + " in all, " + (refused[0] + refused[1] + refused[2] + refused[3]) + " refused");
        System.out.println("seen " + seen);
    }
}
