import { type FormEvent, useState } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { watchTexts } from '../../../texts/watch.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Section } from '../../../ui/screen.tsx'
import { DeleteButton } from '../delete-button.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { DigitsField, SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'

const modes = Object.entries(watchTexts.modes).map(([value, label]) => ({ value, label }))

interface NewStandingOrderProps {
  readonly search: SavedSearch
  readonly onDone: () => void
}

/** The form of a standing order: what to do with the new scenes of a search, and how much it may cost. */
function NewStandingOrder({ search, onDone }: NewStandingOrderProps) {
  const create = useCommand('orders.standing.create', ['orders.standing.list'])
  const [mode, setMode] = useState<'ask' | 'buy'>('ask')
  const [sceneCap, setSceneCap] = useState('')
  const [monthCap, setMonthCap] = useState('')
  const isComplete = sceneCap !== '' && monthCap !== ''
  const caps = { max_credits_per_scene: Number(sceneCap), max_credits_per_month: Number(monthCap) }
  const input = { saved_search_id: search.id, mode, ...caps }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) create.mutate(input, { onSuccess: onDone })
  }
  return (
    <form className={layout['stack12']} aria-label={watchTexts.newOrder} onSubmit={submit}>
      <SelectField
        label={watchTexts.mode}
        value={mode}
        onChange={(value) => setMode(value === 'buy' ? 'buy' : 'ask')}
        choices={modes}
      />
      <DigitsField label={watchTexts.sceneCap} required value={sceneCap} onChange={setSceneCap} />
      <DigitsField label={watchTexts.monthCap} required value={monthCap} onChange={setMonthCap} />
      <div className={layout['wrap']}>
        <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
          {watchTexts.create}
        </Button>
        <Button onClick={onDone}>{uiTexts.cancel}</Button>
        {isComplete && <CopyCall operation="orders.standing.create" input={input} />}
      </div>
      {create.isError && <ProblemNote error={create.error} />}
    </form>
  )
}

/** A saved search: its last match, the providers that do not answer, and its actions. */
export function SavedSearchRow({ search }: { search: SavedSearch }) {
  const { id, name, source_ids, sources, notify, last_matched_at, created_at } = search
  const [isOrdering, setOrdering] = useState(false)
  const remove = useCommand('catalog.search.delete', ['catalog.search.list', 'orders.standing.list'])
  const words = watchTexts
  return (
    <Section title={name}>
      <Facts
        facts={[
          [words.sources, source_ids === null ? words.allSources : source_ids.join(', ')],
          [words.notify, notify ? words.yes : words.no],
          [words.lastMatch, last_matched_at ? <Time key="match" at={last_matched_at} /> : words.never],
          [words.created, <Time key="created" at={created_at} />],
        ]}
      />
      {sources
        .filter(({ error }) => error !== null)
        .map(({ source_id, error }) => (
          <small key={source_id} className={typography['muted']}>
            {words.missing(source_id, error ?? '')}
          </small>
        ))}
      {isOrdering ? (
        <NewStandingOrder search={search} onDone={() => setOrdering(false)} />
      ) : (
        <div className={layout['wrap']}>
          {notify && (
            <Button aria-label={words.orderNamed(name)} onClick={() => setOrdering(true)}>
              {words.order}
            </Button>
          )}
          <DeleteButton
            name={name}
            title={words.removeSearch}
            text={words.removeSearchText}
            call={['catalog.search.delete', { search_id: id }]}
            command={remove}
          />
        </div>
      )}
    </Section>
  )
}
