import { scopes } from '@swath/contract/scopes.ts'
import type { Issuer } from '../../../packages/server/src/domains/billing/documents/issue-document.ts'
import type { OrganizationClocks } from '../../../packages/server/src/platform/clock.ts'
import { idleQueue } from '../../../packages/server/test/idle-queue.ts'

/** A user who acts in an organization; events have no handlers. */
export const actorOf = (organization: string, user: string, clock: OrganizationClocks): Issuer => ({
  seller: { name: 'Proof', abn: null, address: [] },
  organization,
  principal: { kind: 'human', id: user, user, organization, role: 'member', scopes, administrator: false },
  clock: clock.of(organization),
  operation: 'test',
  requestId: 'ledger',
  queue: idleQueue,
})
