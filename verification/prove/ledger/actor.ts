import { scopes } from '@swath/contract/scopes.ts'
import type { DocumentIssuer } from '../../../packages/server/src/domains/invoicing/documents/issue-document.ts'
import type { OrganizationClocks } from '../../../packages/server/src/platform/clock.ts'
import { noopQueue } from '../../../packages/server/test/noop-queue.ts'

/** A user who acts in an organization; events have no handlers. */
export const createActor = (organization: string, user: string, clock: OrganizationClocks): DocumentIssuer => ({
  seller: {
    name: 'Proof',
    abn: '51824753556',
    address: [],
    email: null,
    bank: null,
    payment_terms: null,
    has_play_money: false,
  },
  organization,
  principal: { kind: 'human', id: user, user, organization, role: 'member', scopes, administrator: false },
  clock: clock.forOrganization(organization),
  operation: 'test',
  requestId: 'ledger',
  queue: noopQueue,
})
