import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { QueryView } from '../ui/query-view.tsx'
import layout from '../ui/layout.module.css'

export interface CardChoiceProps {
  /** The row of the chosen card; null is the default card. */
  readonly value: string | null
  readonly onChange: (card: string) => void
}

/** The saved cards, and a way to add one. */
export function CardChoice({ value, onChange }: CardChoiceProps) {
  const cards = useOperation('payment_methods.list', {})
  return (
    <QueryView query={cards} rows={1}>
      {({ payment_methods }) => (
        <>
          {payment_methods.length > 0 && (
            <SelectField
              label={paymentsTexts.card}
              value={value ?? payment_methods.find(({ isDefault }) => isDefault)?.id ?? payment_methods[0]!.id}
              onChange={onChange}
              choices={payment_methods.map(({ id, brand, last4 }) => ({
                value: id,
                label: paymentsTexts.cardName(brand, last4),
              }))}
            />
          )}
          {payment_methods.length === 0 && <p>{paymentsTexts.noCard}</p>}
          <AddCard onAdded={onChange} />
        </>
      )}
    </QueryView>
  )
}

/** Cards of the embedded processor, which moves no money. */
const playMoneyCards = ['pm_card_good', 'pm_card_3ds', 'pm_card_declined'] as const

/** Adds a card. Cards of a real processor are entered in its own form, which this page does not load. */
export function AddCard({ onAdded }: { onAdded?: (card: string) => void }) {
  const setup = useCommand('payment_methods.create_setup_intent')
  const attach = useCommand('payment_methods.attach', ['payment_methods.list'])
  const [card, setCard] = useState<string>(playMoneyCards[0])
  const add = (): void =>
    attach.mutate(
      { payment_method_id: card },
      {
        onSuccess: ({ id }) => {
          if (id) onAdded?.(id)
          setup.reset()
        },
      },
    )
  if (!setup.data)
    return (
      <>
        <div className={layout['wrap']}>
          <Button icon={CreditCard} isPending={setup.isPending} onClick={() => setup.mutate({})}>
            {paymentsTexts.addCard}
          </Button>
        </div>
        {setup.error && <ProblemNote error={setup.error} />}
      </>
    )
  if (setup.data.env !== 'embedded') return <p>{paymentsTexts.cardElsewhere}</p>
  return (
    <>
      <SelectField
        label={paymentsTexts.playMoneyCard}
        help={paymentsTexts.playMoney}
        value={card}
        onChange={setCard}
        choices={playMoneyCards.map((id) => ({ value: id, label: paymentsTexts.playMoneyCards[id] }))}
      />
      <div className={layout['wrap']}>
        <Button isPending={attach.isPending} onClick={add}>
          {paymentsTexts.addThisCard}
        </Button>
      </div>
      {attach.error && <ProblemNote error={attach.error} />}
    </>
  )
}
