serve LockHolder "$WORLD/in/data.txt" 10
