import { useState } from 'react'
import type { FeasibilityOption } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import type { InboxEntry } from '../../inbox/inbox-entry.ts'
import { formatSum } from '../../payments/describe-effect.ts'
import { PaymentDialog } from '../../payments/payment-dialog.tsx'
import { inboxTexts } from '../../texts/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { formatTime } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { decidedReads } from './decided-reads.ts'
import { DecidedOrder } from './decided-order.tsx'
import { InboxCard } from './inbox-card.tsx'
import styles from './inbox.module.css'
import layout from '../../ui/layout.module.css'

const words = inboxTexts.study

/** A study with its options, one of which is accepted here. */
export function StudyCard({ entry: { id, deadline, subject } }: { entry: InboxEntry<'study'> }) {
  const studies = useOperation('orders.tasking.feasibility_studies.list', { id })
  const [chosen, setChosen] = useState<string | null>(null)
  const [isAccepting, setAccepting] = useState(false)
  const options = studies.data?.content[0]?.options ?? []
  const option = options.find((one) => one.id === chosen) ?? null
  const price_credits = option?.creditsPrice ?? 0
  const verb = describeVerb(option)
  return (
    <InboxCard kind="study" title={subject.displayName} deadline={deadline}>
      <DecidedOrder orderId={subject.orderId} />
      <QueryView query={studies} rows={2}>
        {() => (
          <fieldset className={`${layout['stack8']} ${styles['options']}`}>
            <legend>{words.options}</legend>
            {options.map((one) => (
              <Option
                key={one.id}
                group={id}
                option={one}
                isChosen={one.id === chosen}
                onChoose={() => setChosen(one.id)}
              />
            ))}
          </fieldset>
        )}
      </QueryView>
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <Button kind="primary" aria-haspopup="dialog" disabled={!option} onClick={() => option && setAccepting(true)}>
          {verb}
        </Button>
        <DeclineStudy orderId={subject.orderId} name={subject.displayName} />
      </div>
      {isAccepting && option && (
        <PaymentDialog
          title={words.dialog}
          operation="orders.tasking.feasibility_decide"
          input={{ study_id: id, acceptedOptionId: option.id, max_credits: price_credits }}
          affected={decidedReads}
          price_credits={price_credits}
          verb={verb}
          onDone={() => setAccepting(false)}
          onClose={() => setAccepting(false)}
        >
          <p>
            <strong>{subject.displayName}</strong>
          </p>
          <p>{option.description}</p>
          <p>{option.creditsPrice === null ? words.quoted : inboxTexts.quotation.accepted}</p>
        </PaymentDialog>
      )}
    </InboxCard>
  )
}

function describeVerb(option: FeasibilityOption | null): string {
  if (!option) return words.choose
  return option.creditsPrice === null ? words.acceptUnpriced : words.accept(formatSum(option.creditsPrice))
}

interface OptionProps {
  /** The study, whose options exclude each other. */
  readonly group: string
  readonly option: FeasibilityOption
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Option({ group, option, isChosen, onChoose }: OptionProps) {
  const { description, acquisitionStart, acquisitionEnd, creditsPrice } = option
  return (
    <label className={layout['boxed']}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <span className={layout['grid']}>
        {description}
        {acquisitionStart && acquisitionEnd && (
          <small>{words.window(formatTime(acquisitionStart), formatTime(acquisitionEnd))}</small>
        )}
      </span>
      <b className={`${layout['second']} figures`}>{creditsPrice === null ? words.quoted : formatSum(creditsPrice)}</b>
    </label>
  )
}

/** A study is declined by cancelling its order. */
function DeclineStudy({ orderId, name }: { orderId: string; name: string }) {
  const cancel = useCommand('orders.cancel', decidedReads)
  const input = { order_id: orderId, max_credits: 0 }
  return (
    <ConfirmButton
      label={words.cancelNamed(name)}
      verb={words.cancel}
      kind="danger"
      title={words.cancelTitle}
      subject={name}
      text={words.cancelText}
      cancel={words.keep}
      call={['orders.cancel', input]}
      command={cancel}
    />
  )
}
