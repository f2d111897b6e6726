/** Units of time in milliseconds. A day has 24 hours: calendar days of a time zone may be shorter or longer. */
export const second_ms = 1000
export const minute_ms = 60 * second_ms
export const hour_ms = 60 * minute_ms
export const day_ms = 24 * hour_ms
