import { Tag } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { formatAud } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { VersionRow } from './version-row.tsx'
import layout from '../../ui/layout.module.css'

type DataProduct = OutputOf<'admin.data_products.list'>['data_products'][number]
type RateCard = OutputOf<'admin.rate_cards.list'>['rate_cards'][number]

const words = adminTexts
const rates = adminTexts.rates
const input = { limit: 100 }

/** List prices of products: one operator requests a version, another one decides. */
export function RateCards() {
  const cards = useOperation('admin.rate_cards.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.rate_cards.list" input={input} />}>
      <QueryView query={cards} rows={4}>
        {({ rate_cards }) =>
          rate_cards.length === 0 ? (
            <EmptyState icon={Tag} title={rates.none}>
              <p>{rates.noneHelp}</p>
            </EmptyState>
          ) : (
            rate_cards.map((card) => <RateCardRow key={card.id} card={card} />)
          )
        }
      </QueryView>
      {!isForbidden(cards.error) && <RequestForm />}
    </AdminScreen>
  )
}

function RateCardRow({ card }: { card: RateCard }) {
  const { id, product, version, rate_aud, minimum_km2 } = card
  return (
    <VersionRow
      subject={words.versions.nameOf(product, version)}
      version={card}
      facts={[
        [rates.rate, rates.perKm2(formatAud(rate_aud))],
        [words.versions.minimum, words.versions.minimumOf(minimum_km2)],
      ]}
      input={{ rate_card_id: id }}
      affected={['admin.rate_cards.list']}
      approve="admin.rate_cards.approve"
      reject="admin.rate_cards.reject"
      decisionTexts={rates}
    />
  )
}

/** The products that have a price, each once: several collections can be sold as one product. */
const listPricedProducts = (products: readonly DataProduct[]) =>
  [...new Set(products.flatMap(({ price_product }) => price_product ?? []))]
    .toSorted((left, right) => left.localeCompare(right))
    .map((product) => ({ value: product, label: product }))

const emptyDraft = { product: '', rate: '', effective: '', reason: '' }

function RequestForm() {
  const [draft, setDraft] = useState(emptyDraft)
  const products = useOperation('admin.data_products.list', { limit: 100 })
  const command = useCommand('admin.rate_cards.create', ['admin.rate_cards.list'])
  const choices = [{ value: '', label: rates.chooseProduct }, ...listPricedProducts(products.data?.data_products ?? [])]
  const time = new Date(draft.effective)
  const isComplete = Object.values(draft).every((text) => text.trim() !== '') && !Number.isNaN(time.getTime())
  const request = {
    product: draft.product,
    rate_aud: draft.rate.trim(),
    effective_from: isComplete ? time.toISOString() : draft.effective,
    reason: draft.reason.trim(),
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    command.mutate(request, { onSuccess: () => setDraft(emptyDraft) })
  }
  return (
    <Section title={rates.request}>
      <form onSubmit={submit} className={layout['stack8']}>
        <SelectField
          label={rates.product}
          help={rates.productHelp}
          choices={choices}
          value={draft.product}
          onChange={(product) => setDraft({ ...draft, product })}
        />
        {products.isError && (
          <ProblemNote error={products.error} onRetry={() => void products.refetch()} retriesItself />
        )}
        <TextField label={rates.rateInput} value={draft.rate} onChange={(rate) => setDraft({ ...draft, rate })} />
        <TextField
          type="datetime-local"
          label={words.versions.effective}
          help={rates.effectiveHelp}
          value={draft.effective}
          onChange={(effective) => setDraft({ ...draft, effective })}
        />
        <TextField
          label={words.reason}
          help={words.versions.reasonHelp}
          value={draft.reason}
          onChange={(reason) => setDraft({ ...draft, reason })}
        />
        <div className={layout['row']}>
          <Button type="submit" kind="primary" disabled={!isComplete} isPending={command.isPending}>
            {words.submit}
          </Button>
          <CopyCall operation="admin.rate_cards.create" input={request} />
        </div>
        {command.isError && <ProblemNote error={command.error} />}
      </form>
    </Section>
  )
}
