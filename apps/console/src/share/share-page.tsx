import { Link2Off, OctagonAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { shareTexts as texts } from '../texts/share.ts'
import { Card } from './card.tsx'
import { FailureText } from './failure-text.tsx'
import type { ClosedLink } from './link-failure.ts'
import { createVisitorClient } from './open-link.ts'
import { PasswordForm } from './password-form.tsx'
import { SharedContentView } from './shared-content-view.tsx'
import { useSharedLink } from './use-shared-link.ts'

export interface SharePageProps {
  /** The reason why the server does not open the link; null if the visitor has to enter its password. */
  readonly closed: ClosedLink | null
  /** Why the server did not look at the link. */
  readonly note: string | null
  /** Already in the password field. */
  readonly typed: string
}

/** The page of a share link for a visitor without an account. */
export function SharePage({ closed, note, typed }: SharePageProps) {
  const [client] = useState(createVisitorClient)
  const [link, { open, retry, readMore }] = useSharedLink(client, closed)
  if (link.step === 'open')
    return <SharedContentView client={client} visit={link.visit} content={link.content} readMore={readMore} />
  if (link.step === 'closed')
    return (
      <Card title={link.closed.title} icon={Link2Off}>
        <p role="alert">{link.closed.text}</p>
      </Card>
    )
  if (link.step === 'opening') return <Card title={texts.title}>{<p role="status">{texts.loading}</p>}</Card>
  if (link.step === 'failed')
    return (
      <Card title={texts.title} icon={OctagonAlert}>
        <FailureText note={link.note} />
        <Button kind="primary" onClick={() => void retry()}>
          {texts.retry}
        </Button>
      </Card>
    )
  return (
    <PasswordForm
      note={link.note ?? (note === null ? null : { text: note, traceId: null })}
      isPending={link.isPending}
      typed={typed}
      onSubmit={open}
    />
  )
}
