import { useState } from 'react'
import { ChangeView } from '../../../analytics/change-view.tsx'
import type { ChangeResult } from '../../../analytics/method-results.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { ViewItem } from '../state/view-item.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import type { DrawnArea } from './drawn-area.ts'

const words = texts.viewer.change
const default_threshold = '0.1'
const first_choice = 'ndvi'

const nameOf = ({ name, datetime }: ViewItem): string => [datetime && formatDate(datetime), name].filter(Boolean).join(' · ') // prettier-ignore
const byDate = (left: ViewItem, right: ViewItem): number => (left.datetime ?? '').localeCompare(right.datetime ?? '')

/** How an index changed in the area from one item of the viewer to another. */
export function AreaChange(props: TabProps & { geometry: DrawnArea }) {
  const { items, read } = props
  const indices = read.presets.filter(({ kind }) => kind === 'index')
  const obstacle = items.length < 2 ? words.needTwo : indices.length === 0 ? words.noIndex : null
  return obstacle ? (
    <Section title={words.title}>
      <p className={styles['note']}>{obstacle}</p>
    </Section>
  ) : (
    <ChangeForm {...props} indices={indices} />
  )
}

interface ChangeFormProps extends TabProps {
  readonly geometry: DrawnArea
  readonly indices: TabProps['read']['presets']
}

function ChangeForm({ items, item, geometry, indices }: ChangeFormProps) {
  const ordered = items.toSorted(byDate)
  const [firstId, setFirst] = useState<string | null>(null)
  const [lastId, setLast] = useState<string | null>(null)
  const [wantedIndex, setIndex] = useState<string | null>(null)
  const [threshold, setThreshold] = useState(default_threshold)
  const before = items.find(({ id }) => id === firstId) ?? ordered.find(({ id }) => id !== item.id)!
  const after = items.find(({ id }) => id === lastId) ?? item
  // Unless somebody chose, the earlier one is the first.
  const [first, last] = firstId === null && lastId === null ? [before, after].toSorted(byDate) : [before, after]
  const index = indices.find(({ id }) => id === wantedIndex) ?? indices.find(({ id }) => id === first_choice) ?? indices[0]! // prettier-ignore
  const limit = threshold.trim() === '' ? Number.NaN : Number(threshold)
  const isValid = limit >= 0 && first!.id !== last!.id
  const call = {
    operation: 'change_detection',
    params: {
      before_item_id: first!.id,
      after_item_id: last!.id,
      index_name: index.id,
      change_threshold: limit,
      geometry,
    },
  }
  const detect = useCommand('analytics.execute')
  // A result belongs to what it was computed for.
  const isCurrent = JSON.stringify(detect.variables) === JSON.stringify(call)
  const choices = ordered.map((one) => ({ value: one.id, label: nameOf(one) }))
  return (
    <Section title={words.title} actions={isValid && <CopyCall operation="analytics.execute" input={call} />}>
      <SelectField
        label={words.before}
        value={first!.id}
        choices={choices}
        onChange={(id) => {
          setFirst(id)
          setLast(last!.id)
        }}
      />
      {/* prettier-ignore */}
      <SelectField label={words.after} value={last!.id} choices={choices} onChange={(id) => { setLast(id); setFirst(first!.id) }} />
      {/* prettier-ignore */}
      <div className={styles['pair']}>
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
      {first!.id === last!.id && <p className={styles['note']}>{words.same}</p>}
      <Button disabled={!isValid} isPending={detect.isPending} onClick={() => isValid && detect.mutate(call)}>
        {words.detect}
      </Button>
      {detect.isError && isCurrent && <ProblemNote error={detect.error} />}
      {detect.data && isCurrent && <ChangeView result={detect.data.result as unknown as ChangeResult} />}
    </Section>
  )
}
