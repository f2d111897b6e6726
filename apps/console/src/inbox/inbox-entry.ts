import type { UseQueryResult } from '@tanstack/react-query'
import type {
  Eula,
  EventSubscription,
  Item,
  Lot,
  PendingDecision,
  StandingOrder,
  StandingOrderScene,
  TopupApproval,
} from '@swath/client/operations.ts'

/** The subject of each kind of entry. */
interface InboxSubjects {
  readonly study: PendingDecision
  readonly quotation: PendingDecision
  readonly proposal: ProposedScene
  readonly approval: TopupApproval
  readonly agreement: Eula
  readonly webhook: FailedWebhook
  readonly credits: Lot
  readonly item: Item
}

/** A scene that a standing order proposes to order. */
export interface ProposedScene {
  readonly order: StandingOrder
  readonly scene: StandingOrderScene
}

/** A subscription whose deliveries have failed. */
export interface FailedWebhook {
  readonly subscription: EventSubscription
  /** Deliveries that are not tried again by themselves; at most as many as a page has. */
  readonly dead_count: number
  /** When the oldest of them was to be sent. */
  readonly since: string
}

export type InboxKind = keyof InboxSubjects

/** Something that waits for a decision of this person, or that soon is too late to be decided. */
export type InboxEntry<Kind extends InboxKind = InboxKind> = {
  [K in Kind]: {
    readonly kind: K
    readonly id: string
    /** RFC 3339; null without one. */
    readonly deadline: string | null
    readonly subject: InboxSubjects[K]
  }
}[Kind]

/** The most urgent first; entries without a deadline come last, in their order. */
export const sortEntries = (entries: readonly InboxEntry[]): readonly InboxEntry[] =>
  entries.toSorted((left, right) => toDeadline_ms(left) - toDeadline_ms(right))

const toDeadline_ms = ({ deadline }: InboxEntry): number =>
  deadline === null ? Number.MAX_VALUE : Date.parse(deadline)

/** One source of the inbox: its query, and the entries of the loaded data. */
export interface InboxSource {
  readonly query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch' | 'fetchStatus'>
  readonly entries: readonly InboxEntry[]
}
