import { useState, type FormEvent } from 'react'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { readSavedAreas } from '../../../area/saved-areas.ts'
import { reportsTexts } from '../../../texts/reports.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { SelectField, TextField, type Choice } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { formatsOf, newDraft, toCall, type ReportDraft } from './report-draft.ts'
import styles from './reports.module.css'
import layout from '../../../ui/layout.module.css'

const words = reportsTexts

const choicesOf = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Chooses a report, which is generated at once or on a schedule. */
export function ReportForm({ onDone }: { onDone: () => void }) {
  const [draft, setDraft] = useState<ReportDraft>(newDraft)
  const [areas] = useState(readSavedAreas)
  const create = useCommand('reports.create', ['reports.list'])
  const schedule = useCommand('reports.schedules.create', ['reports.schedules.list'])
  const call = toCall(draft, areas, new Date())
  const change = (part: Partial<ReportDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (call?.[0] === 'reports.create') create.mutate(call[1], { onSuccess: onDone })
    if (call?.[0] === 'reports.schedules.create') schedule.mutate(call[1], { onSuccess: onDone })
  }
  const isOnce = draft.frequency === 'once'
  return (
    <Section title={words.create}>
      <form className={layout['stack12']} onSubmit={submit}>
        <ReportFields draft={draft} areaNames={Object.keys(areas)} onChange={change} />
        <div className={layout['facts']}>
          <Button type="submit" kind="primary" disabled={!call} isPending={create.isPending || schedule.isPending}>
            {isOnce ? words.submit.once : words.submit.other}
          </Button>
          <Button onClick={onDone}>{words.cancel}</Button>
          {call && <CopyCall operation={call[0]} input={call[1]} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
        {schedule.isError && <ProblemNote error={schedule.error} />}
      </form>
    </Section>
  )
}

interface ReportFieldsProps {
  readonly draft: ReportDraft
  readonly areaNames: readonly string[]
  readonly onChange: (part: Partial<ReportDraft>) => void
}

function ReportFields({ draft, areaNames, onChange }: ReportFieldsProps) {
  const projects = useOperation('projects.list', {}).data?.projects ?? []
  return (
    <>
      <SelectField
        label={words.type}
        value={draft.type}
        onChange={(type) => onChange({ type: type as ReportDraft['type'] })}
        choices={choicesOf(words.types)}
      />
      {draft.type === 'area_monitoring' && (
        <SelectField
          label={words.area}
          help={areaNames.length === 0 ? words.noAreas : undefined}
          value={draft.areaName}
          onChange={(areaName) => onChange({ areaName })}
          choices={['', ...areaNames].map((value) => ({ value, label: value || '–' }))}
        />
      )}
      <SelectField
        label={words.project}
        value={draft.projectId}
        onChange={(projectId) => onChange({ projectId })}
        choices={[
          { value: '', label: words.allProjects },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={words.frequency}
        help={draft.frequency === 'once' ? undefined : words.frequencyHelp}
        value={draft.frequency}
        onChange={(frequency) => onChange({ frequency: frequency as ReportDraft['frequency'] })}
        choices={choicesOf(words.frequencies)}
      />
      {draft.frequency === 'once' && (
        <SelectField
          label={words.interval}
          value={draft.days}
          onChange={(days) => onChange({ days })}
          choices={choicesOf(words.intervals)}
        />
      )}
      <TextField
        label={words.name}
        value={draft.name}
        required={draft.frequency !== 'once'}
        maxLength={255}
        onChange={(name) => onChange({ name })}
      />
      <fieldset className={`${layout['facts']} ${styles['formats']}`}>
        <legend>{words.formats}</legend>
        {formatsOf(draft.type).map((format) => (
          <label className={layout['line']} key={format}>
            <input
              type="checkbox"
              checked={draft.formats.includes(format)}
              onChange={({ target }) =>
                onChange({
                  formats: target.checked
                    ? [...draft.formats, format]
                    : draft.formats.filter((other) => other !== format),
                })
              }
            />
            {words.formatNames[format]}
          </label>
        ))}
      </fieldset>
    </>
  )
}
