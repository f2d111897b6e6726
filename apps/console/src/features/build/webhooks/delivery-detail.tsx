import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { ReceivedDelivery } from './received-delivery.tsx'
import { refresh_ms } from './refresh.ts'
import { testInboxUrl } from './test-inbox.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = webhooksTexts

type Attempt = OutputOf<'event_subscriptions.deliveries.get'>['attempts'][number]

/** The body of a delivery, each response of the endpoint, and a button that sends it again. */
export function DeliveryDetail({ deliveryId }: { deliveryId: string }) {
  const input = { delivery_id: deliveryId }
  const delivery = useOperation('event_subscriptions.deliveries.get', input, { refetchInterval: refresh_ms })
  const redeliver = useCommand('event_subscriptions.deliveries.redeliver', [
    'event_subscriptions.deliveries.list',
    'event_subscriptions.deliveries.get',
  ])
  return (
    <QueryView query={delivery} rows={2}>
      {({ payload, attempts }) => {
        const text = JSON.stringify(payload, null, 2)
        return (
          <div className={layout['stack12']}>
            <h3>{words.payload}</h3>
            <pre tabIndex={0} aria-label={words.payload}>
              {text}
            </pre>
            {attempts.length === 0 && <p className={typography['muted']}>{words.noAttempts}</p>}
            {attempts.map((attempt, at) => (
              <AttemptPart key={attempt.id} attempt={attempt} number={at + 1} body={JSON.stringify(payload)} />
            ))}
            <div className={layout['row']}>
              <Button isPending={redeliver.isPending} onClick={() => redeliver.mutate(input)}>
                {words.redeliver}
              </Button>
              <CopyButton label={words.copyPayload} text={text} />
              <CopyCall operation="event_subscriptions.deliveries.redeliver" input={input} />
            </div>
            {redeliver.data && <p role="status">{words.redelivered}</p>}
            {redeliver.isError && <ProblemNote error={redeliver.error} />}
          </div>
        )
      }}
    </QueryView>
  )
}

interface AttemptPartProps {
  readonly attempt: Attempt
  readonly number: number
  /** The request body. */
  readonly body: string
}

function AttemptPart({ attempt, number, body }: AttemptPartProps) {
  const { http_status, error, duration_ms, started_at, response_body, response_headers } = attempt
  const isInbox = attempt.endpoint_url === testInboxUrl
  const outcome =
    http_status === null ? words.unanswered(error ?? '', duration_ms) : words.answered(http_status, duration_ms)
  return (
    <>
      <h3>
        {words.attempt(number)} · <Time at={started_at} />
      </h3>
      {isInbox ? (
        <ReceivedDelivery headers={response_headers} body={body} />
      ) : (
        <p className={typography['muted']}>{outcome}</p>
      )}
      {http_status !== null &&
        !isInbox &&
        (response_body ? (
          <pre tabIndex={0} aria-label={words.response}>
            {response_body}
          </pre>
        ) : (
          <p className={typography['muted']}>{words.noBody}</p>
        ))}
    </>
  )
}
