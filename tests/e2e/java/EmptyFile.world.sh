: >in/empty
