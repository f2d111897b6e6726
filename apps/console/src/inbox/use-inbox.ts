import { useMemo } from 'react'
import { useOperation, useOperations } from '../api/use-operation.ts'
import { useOrganizationNow } from '../api/use-organization-now.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { type InboxEntry, type InboxSource, sortEntries } from './inbox-entry.ts'
import { useFailedWebhooks } from './use-failed-webhooks.ts'

/** As many as an organization can have. */
const page = { limit: 50 }

/** Scenes that standing orders propose to order. */
function useProposals(): InboxSource {
  const query = useOperation('orders.standing.list', page)
  const orders = query.data?.standing_orders ?? []
  const results = useOperations(
    'orders.standing.scenes.list',
    orders.map(({ id }) => ({ standing_order_id: id, status: 'proposed' as const })),
  )
  const entries = orders.flatMap((order, at) =>
    (results[at]?.data?.scenes ?? []).map((scene): InboxEntry => ({
      kind: 'proposal',
      id: `${order.id} ${scene.source_id} ${scene.scene_id}`,
      deadline: null,
      subject: { order, scene },
    })),
  )
  return { query, entries }
}

/** Expiring credits and items are shown this long before their end. */
const notice_ms = 30 * 86_400_000
const notice_days = 30
const page_size = 100

export interface Inbox {
  readonly entries: readonly InboxEntry[]
  /** Some source has not been read yet. */
  readonly isPending: boolean
  /** Sources that cannot be read; the others are shown. */
  readonly failed: readonly InboxSource['query'][]
}

/** Everything that waits for a decision. A further source is a hook more in this list. */
export function useInbox(): Inbox {
  const sources = [
    useDecisions(),
    useProposals(),
    useApprovals(),
    useAgreements(),
    useFailedWebhooks(),
    useExpiringCredits(),
    useExpiringItems(),
  ]
  return {
    entries: sortEntries(sources.flatMap(({ entries }) => entries)),
    isPending: sources.some(({ query }) => query.isPending && query.fetchStatus !== 'idle'),
    failed: sources.flatMap(({ query }) => (query.isError ? [query] : [])),
  }
}

function useDecisions(): InboxSource {
  const query = useOperation('orders.tasking.decisions.pending', { size: page_size })
  const entries = useMemo(
    () =>
      (query.data?.content ?? []).map((subject): InboxEntry => ({
        kind: subject.kind === 'feasibility' ? 'study' : 'quotation',
        id: subject.id,
        deadline: subject.decideBy,
        subject,
      })),
    [query.data],
  )
  return { query, entries }
}

const useRole = () => usePrincipal().data?.organization?.role ?? null

/** Roles that may decide over money. */
const money_roles: readonly string[] = ['owner', 'admin', 'billing']

/** Top-ups that others have requested; members decide none. */
function useApprovals(): InboxSource {
  const me = usePrincipal().data
  const isDecider = money_roles.includes(useRole() ?? '')
  const query = useOperation('billing.approvals.list', { status: 'pending' }, { enabled: isDecider })
  const entries = useMemo(
    () =>
      (query.data?.approvals ?? [])
        // Nobody decides a request of their own.
        .filter(({ requested_by }) => requested_by !== me?.user?.id)
        .map((subject): InboxEntry => ({
          kind: 'approval',
          id: subject.id,
          deadline: subject.expires_at,
          subject,
        })),
    [query.data, me],
  )
  return { query, entries }
}

function useAgreements(): InboxSource {
  const query = useOperation('eulas.list', { size: page_size })
  const entries = useMemo(
    () =>
      (query.data?.content ?? [])
        .filter(({ isAccepted, currentDocumentId }) => !isAccepted && currentDocumentId !== null)
        .map((subject): InboxEntry => ({ kind: 'agreement', id: subject.id, deadline: null, subject })),
    [query.data],
  )
  return { query, entries }
}

function useExpiringCredits(): InboxSource {
  const isDecider = money_roles.includes(useRole() ?? '')
  const now_ms = useOrganizationNow()
  const query = useOperation('billing.lots.list', { limit: page_size }, { enabled: isDecider })
  // To the hour: the present changes with every drawing.
  const hour = now_ms === null ? null : Math.floor(now_ms / 3_600_000)
  const entries = useMemo(
    () =>
      (query.data?.lots ?? []).flatMap((subject): InboxEntry[] => {
        const { id, status, available_credits, expires_at } = subject
        if (status !== 'open' || available_credits === 0 || expires_at === null || hour === null) return []
        const isSoon = Date.parse(expires_at) - hour * 3_600_000 < notice_ms
        return isSoon ? [{ kind: 'credits', id, deadline: expires_at, subject }] : []
      }),
    [query.data, hour],
  )
  return { query, entries }
}

const retention_scopes: readonly string[] = ['admin:*', 'admin:read']

/** Items that are deleted soon; for people who may ask for them. */
function useExpiringItems(): InboxSource {
  const isAllowed = usePrincipal().data?.scopes.some((scope) => retention_scopes.includes(scope)) ?? false
  const query = useOperation('items.list_expiring', { days: notice_days }, { enabled: isAllowed })
  const entries = useMemo(
    () =>
      (query.data?.items ?? []).map((subject): InboxEntry => ({
        kind: 'item',
        id: subject.id,
        deadline: subject.expires_at,
        subject,
      })),
    [query.data],
  )
  return { query, entries }
}
