import { texts } from '../../../texts.ts'

/** The endpoint of the platform that keeps deliveries in their log, where no server can be reached. */
export const test_inbox_url = 'swath://inbox'

export const describeEndpoint = (url: string): string => (url === test_inbox_url ? texts.webhooks.inbox : url)
