import type { Event } from '@swath/client/operations.ts'

export type ToastKind =
  | 'alert.triggered'
  | 'order.fulfilled'
  | 'order.failed'
  | 'job.completed'
  | 'job.failed'
  | 'upload.completed'

export interface Toast {
  /** The id of its event. */
  readonly id: string
  readonly kind: ToastKind
  /** Route of the page that shows it. */
  readonly path: string
  readonly isFailure: boolean
}

interface ToastRule {
  readonly isFailure: boolean
  readonly path: (event: Event) => string
}

/** The events that end something which a person waits for, or that should be looked at. */
const rules: Readonly<Record<ToastKind, ToastRule>> = {
  'order.fulfilled': { isFailure: false, path: ({ entity_id }) => `/orders/${entity_id}` },
  'order.failed': { isFailure: true, path: ({ entity_id }) => `/orders/${entity_id}` },
  'job.completed': { isFailure: false, path: ({ entity_id }) => `/analyse/jobs/${entity_id}` },
  'job.failed': { isFailure: true, path: ({ entity_id }) => `/analyse/jobs/${entity_id}` },
  'alert.triggered': { isFailure: false, path: () => '/watch' },
  'upload.completed': { isFailure: false, path: () => '/library/uploads' },
}

const isToastKind = (type: string): type is ToastKind => Object.hasOwn(rules, type)

/** Notices for new events (the latest first), in the order in which they happened. */
export function toToasts(events: readonly Event[]): readonly Toast[] {
  return events.toReversed().flatMap((event) => {
    const { event_id: id, event_type: kind } = event
    if (!isToastKind(kind)) return []
    const { isFailure, path } = rules[kind]
    return [{ id, kind, path: path(event), isFailure }]
  })
}
