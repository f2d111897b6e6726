import Type from 'typebox'
import { providerModes } from '../schemas/people/federation.ts'
import { defineEvent, EventText, NullableEventText } from './define-event.ts'

const domain = { domain: EventText }
const provider = { issuer: EventText, mode: Type.Enum([...providerModes]), domains: Type.Array(EventText) }
const exampleProvider = { issuer: 'https://login.example.com', mode: 'optional' as const, domains: ['example.com'] }
const token = { name: EventText }

export const federationEvents = {
  'organization.domain_added': defineEvent('A domain was added, which is not verified yet.', domain, {
    domain: 'example.com',
  }),
  'organization.domain_verified': defineEvent('The record of a domain was found.', domain, { domain: 'example.com' }),
  'organization.domain_removed': defineEvent(
    'A domain was removed, or lost because its record has been missing for days.',
    { ...domain, reason: NullableEventText },
    { domain: 'example.com', reason: 'There is no TXT record.' },
  ),
  'organization.provider_changed': defineEvent(
    'The provider with which members sign in was set or changed.',
    provider,
    exampleProvider,
  ),
  'organization.provider_removed': defineEvent('The provider was removed.', provider, exampleProvider),
  'scim_token.created': defineEvent('A token for SCIM was created.', token, { name: 'Directory' }),
  'scim_token.revoked': defineEvent('A token for SCIM was revoked.', token, { name: 'Directory' }),
}
