/** Deliveries change without an event: an event about each would be delivered, too. */
export const refresh_ms = 4000
