import { verifyWebhook } from '@swath/client/webhooks/verify-webhook.ts'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { toDeliveryCurl } from '../../../api/curl.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextField } from '../../../ui/field.tsx'
import layout from '../../../ui/layout.module.css'

const words = webhooksTexts

/** Default URL of a local server of someone who tries it out. */
const localUrl = 'http://localhost:3000/webhooks'

export interface ReceivedDeliveryProps {
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that is signed. */
  readonly body: string
}

/**
 * A delivery as a server receives it, to send it to a local server by hand, and a check of its signature with a secret.
 */
export function ReceivedDelivery({ headers, body }: ReceivedDeliveryProps) {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return (
    <>
      <h3>{words.received.headers}</h3>
      <pre tabIndex={0} aria-label={words.received.headers}>
        {lines}
      </pre>
      <div className={layout['row']}>
        <CopyButton label={words.received.copyHeaders} text={lines} />
        <CopyButton label={words.received.copyBody} text={body} />
        <CopyButton label={words.received.copyCurl} text={() => toDeliveryCurl(localUrl, headers, body)} />
      </div>
      <SignatureCheck headers={headers} body={body} />
    </>
  )
}

/** Verifies in the browser, as a server does with `@swath/client`; the secret is sent nowhere. */
function SignatureCheck({ headers, body }: ReceivedDeliveryProps) {
  const [secret, setSecret] = useState('')
  const [isValid, setValid] = useState<boolean | null>(null)
  const check = (event: FormEvent): void => {
    event.preventDefault()
    // It may have been sent long ago.
    void verifyWebhook(secret.trim(), { headers, body }, { tolerance_s: Infinity }).then(
      () => setValid(true),
      () => setValid(false),
    )
  }
  return (
    <form className={layout['stack12']} onSubmit={check}>
      <TextField
        label={words.received.secret}
        help={words.received.secretHelp}
        autoComplete="off"
        required
        value={secret}
        onChange={(value) => {
          setSecret(value)
          setValid(null)
        }}
      />
      <div className={layout['row']}>
        <Button type="submit">{words.received.check}</Button>
        <span role="status">
          {isValid !== null && (
            <Badge icon={isValid ? CircleCheck : CircleX} tone={isValid ? 'good' : 'bad'}>
              {isValid ? words.received.valid : words.received.invalid}
            </Badge>
          )}
        </span>
      </div>
    </form>
  )
}
