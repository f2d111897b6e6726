import { useState, type FormEvent } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import layout from '../../../ui/layout.module.css'

const keepDigits = (text: string): string => text.replaceAll(/\D/g, '')

const modes = Object.entries(texts.watch.modes).map(([value, label]) => ({ value, label }))

export interface NewStandingOrderProps {
  readonly search: SavedSearch
  readonly onDone: () => void
}

/** The form of a standing order: what to do with the new scenes of a search, and how much it may cost. */
export function NewStandingOrder({ search, onDone }: NewStandingOrderProps) {
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
    <form className={layout['stack12']} aria-label={texts.watch.newOrder} onSubmit={submit}>
      <SelectField
        label={texts.watch.mode}
        value={mode}
        onChange={(value) => setMode(value === 'buy' ? 'buy' : 'ask')}
        choices={modes}
      />
      <TextField
        label={texts.watch.sceneCap}
        inputMode="numeric"
        required
        value={sceneCap}
        onChange={(text) => setSceneCap(keepDigits(text))}
      />
      <TextField
        label={texts.watch.monthCap}
        inputMode="numeric"
        required
        value={monthCap}
        onChange={(text) => setMonthCap(keepDigits(text))}
      />
      <div className={layout['wrap']}>
        <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
          {texts.watch.create}
        </Button>
        <Button onClick={onDone}>{texts.ui.cancel}</Button>
        {isComplete && <CopyCall operation="orders.standing.create" input={input} />}
      </div>
      {create.isError && <ProblemNote error={create.error} />}
    </form>
  )
}
