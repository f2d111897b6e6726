import { webhooksTexts } from '../../../texts/webhooks.ts'

/** The endpoint of the platform that keeps deliveries in their log, where no server can be reached. */
export const testInboxUrl = 'swath://inbox'

export const describeEndpoint = (url: string): string => (url === testInboxUrl ? webhooksTexts.inbox : url)
