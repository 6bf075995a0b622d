// How often this program asked for memory.
unsigned long allocation_count(void);
