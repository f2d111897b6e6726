/** Channels on which an organization id tells of new events, and of new deliveries of webhooks. Only hints: readers also poll. */
export const eventChannels = { events: 'swath_events', deliveries: 'swath_event_deliveries' } as const
