import { BadgeDollarSign, CalendarClock, FileQuestion, FileText, ImageOff, MessageSquareQuote, Telescope, Webhook, type LucideIcon } from 'lucide-react' // prettier-ignore
import type { ReactNode } from 'react'
import type { InboxKind } from '../../inbox/inbox-entry.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/figures.tsx'
import { Deadline } from './deadline.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const icons: Readonly<Record<InboxKind, LucideIcon>> = {
  study: FileQuestion,
  quotation: MessageSquareQuote,
  proposal: Telescope,
  approval: BadgeDollarSign,
  agreement: FileText,
  webhook: Webhook,
  credits: CalendarClock,
  item: ImageOff,
}

/** Kinds whose deadline is the end of the thing itself. */
const ending: readonly InboxKind[] = ['credits', 'item']

export interface InboxCardProps {
  readonly kind: InboxKind
  readonly title: string
  readonly deadline: string | null
  /** The details, and the ways to decide. */
  readonly children: ReactNode
}

/** One entry: its subject, its deadline, and the ways to decide. */
export function InboxCard({ kind, title, deadline, children }: InboxCardProps) {
  const { ends, until } = inboxTexts.deadline
  return (
    <section
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}
      aria-label={title}
      data-kind={kind}
    >
      <header className={layout['split']}>
        <Badge icon={icons[kind]} tone="active">
          {inboxTexts.kinds[kind]}
        </Badge>
        <Deadline at={deadline} />
      </header>
      <h2 className={typography['anywhere']}>{title}</h2>
      {deadline !== null && (
        <small>
          {ending.includes(kind) ? ends : until} <Time at={deadline} />
        </small>
      )}
      {children}
    </section>
  )
}
