import { useState } from 'react'
import { ChangeView } from '../../../analytics/change-view.tsx'
import type { ChangeResult } from '../../../analytics/method-results.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { ViewItem } from '../state/view-item.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import { defaultPair, isOpenPair, sortByDate, type ChangePair } from './change-pair.ts'
import type { DrawnArea } from './drawn-area.ts'
import typography from '../../../ui/typography.module.css'
import layout from '../../../ui/layout.module.css'

const words = viewerTexts.change
const defaultThreshold = '0.1'
const firstChoice = 'ndvi'

const nameOf = ({ name, datetime }: ViewItem): string => [datetime && formatDate(datetime), name].filter(Boolean).join(' · ') // prettier-ignore

/** The change of an index in the area from one item of the viewer to another. */
export function AreaChange({ items, item, read, geometry }: TabProps & { geometry: DrawnArea }) {
  const indices = read.presets.filter(({ kind }) => kind === 'index')
  const pair = defaultPair(items, item)
  const obstacle = indices.length === 0 ? words.noIndex : words.needTwo
  if (pair && indices.length > 0) return <ChangeForm items={items} usual={pair} geometry={geometry} indices={indices} />
  return (
    <Section title={words.title}>
      <p className={typography['note']}>{obstacle}</p>
    </Section>
  )
}

interface ChangeFormProps {
  readonly items: readonly ViewItem[]
  /** The items that are compared unless others are chosen. */
  readonly usual: ChangePair
  readonly geometry: DrawnArea
  readonly indices: TabProps['read']['presets']
}

function ChangeForm({ items, usual, geometry, indices }: ChangeFormProps) {
  const [chosen, setChosen] = useState<ChangePair | null>(null)
  const [wantedIndex, setIndex] = useState<string | null>(null)
  const [threshold, setThreshold] = useState(defaultThreshold)
  const pair = chosen && isOpenPair(chosen, items) ? chosen : usual
  const index = [wantedIndex, firstChoice].flatMap((id) => indices.find((one) => one.id === id) ?? [])[0] ?? indices[0]!
  const limit = threshold.trim() === '' ? Number.NaN : Number(threshold)
  const isPair = pair.before !== pair.after
  const isValid = limit >= 0 && isPair
  const call = {
    operation: 'change_detection',
    params: {
      before_item_id: pair.before,
      after_item_id: pair.after,
      index_name: index.id,
      change_threshold: limit,
      geometry,
    },
  }
  const detect = useCommand('analytics.execute')
  // A result is shown only for the inputs that it was computed from.
  const isCurrent = JSON.stringify(detect.variables) === JSON.stringify(call)
  const choices = sortByDate(items).map((one) => ({ value: one.id, label: nameOf(one) }))
  return (
    <Section title={words.title} actions={isValid && <CopyCall operation="analytics.execute" input={call} />}>
      {(['before', 'after'] as const).map((side) => (
        <SelectField
          key={side}
          label={words[side]}
          value={pair[side]}
          choices={choices}
          onChange={(id) => setChosen({ ...pair, [side]: id })}
        />
      ))}
      <div className={`${layout['stack8']} ${styles['pair']}`}>
        <SelectField
          label={words.index}
          value={index.id}
          choices={indices.map(({ id, label }) => ({ value: id, label }))}
          onChange={setIndex}
        />
        <TextField
          label={words.threshold}
          inputMode="decimal"
          value={threshold}
          error={limit >= 0 ? null : words.thresholdError}
          onChange={setThreshold}
        />
      </div>
      {!isPair && <p className={typography['note']}>{words.same}</p>}
      <Button disabled={!isValid} isPending={detect.isPending} onClick={() => isValid && detect.mutate(call)}>
        {words.detect}
      </Button>
      {detect.isError && isCurrent && <ProblemNote error={detect.error} />}
      {detect.data && isCurrent && <ChangeView result={detect.data.result as unknown as ChangeResult} />}
    </Section>
  )
}
