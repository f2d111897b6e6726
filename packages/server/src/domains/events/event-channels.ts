/** Channels of the ids of organizations with new events, or new webhook deliveries. Only hints: readers also poll. */
export const eventChannels = { events: 'swath_events', deliveries: 'swath_event_deliveries' } as const
