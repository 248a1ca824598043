mkdir code
od -An -v -tx1 -w1 "$CLASSES/code/greeter/Greeter.class" | tac | sed 's/ /\\x/' | tr -d '\n' | xargs -0 printf >code/Greeter.scrambled
