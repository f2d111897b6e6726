import { useState, type FormEvent, type ReactNode } from 'react'
import { AreaTools } from '../../../area/area-tools.tsx'
import { AreaLayer } from '../../../map/area-layer.tsx'
import { alertsTexts } from '../../../texts/alerts.ts'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { Section } from '../../../ui/screen.tsx'
import styles from '../watch.module.css'
import { MeasureFields } from './measure-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { hasReturn, readBands, readNumber, type Channel, type RuleDraft, type RuleFieldsProps } from './rule-draft.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = alertsTexts.form
const channels = Object.entries(words.channels) as [Channel, string][]

export interface RuleFormProps {
  readonly initial: RuleDraft
  /** The project of an existing rule stays. */
  readonly isNew: boolean
  readonly onSubmit: (draft: RuleDraft) => void
  /** Buttons and problems, which depend on the draft. */
  readonly children: (draft: RuleDraft) => ReactNode
}

/** Everything that an alert rule says, in the order in which a person thinks of it. */
export function RuleForm({ initial, isNew, onSubmit, children }: RuleFormProps) {
  const [draft, setDraft] = useState(initial)
  const change = (part: Partial<RuleDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit(draft)
  }
  return (
    <form
      className={styles['ruleForm']}
      aria-label={isNew ? alertsTexts.newRule : alertsTexts.editRule}
      onSubmit={submit}
    >
      <MeasureFields draft={draft} onChange={change} />
      <Section title={words.where}>
        <PlaceFields draft={draft} isNew={isNew} onChange={change} />
        <span className={typography['muted']}>{words.area}</span>
        <AreaTools area={draft.area} onChange={(area) => change({ area })} />
        {!draft.area && <small className={typography['muted']}>{words.areaHelp}</small>}
        {draft.area && (
          <AreaLayer id="rule-area" geometry={draft.area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
        )}
      </Section>
      <Section title={words.quiet}>
        <PauseFields draft={draft} onChange={change} />
      </Section>
      <Section title={words.tell}>
        <ChannelFields draft={draft} onChange={change} />
        <FileFields draft={draft} onChange={change} />
      </Section>
      <div className={`${layout['wrap']} ${layout['inset']}`}>{children(draft)}</div>
    </form>
  )
}

/** Said once something was entered. */
const numberError = (text: string): string | null =>
  text.trim() !== '' && readNumber(text) === null ? words.numberError : null

function PauseFields({ draft: { comparison, hysteresis, cooldown }, onChange }: RuleFieldsProps) {
  return (
    <>
      <TextField
        label={words.cooldown}
        inputMode="numeric"
        required
        value={cooldown}
        error={numberError(cooldown)}
        onChange={(value) => onChange({ cooldown: value })}
      />
      {hasReturn(comparison) && (
        <TextField
          label={words.hysteresis}
          help={words.hysteresisHelp}
          inputMode="decimal"
          value={hysteresis}
          error={numberError(hysteresis)}
          onChange={(value) => onChange({ hysteresis: value })}
        />
      )}
    </>
  )
}

function ChannelFields({ draft, onChange }: RuleFieldsProps) {
  const chosen = draft.channels
  return (
    <>
      {channels.map(([channel, label]) => (
        <CheckboxField
          key={channel}
          label={label}
          checked={chosen.includes(channel)}
          onChange={(isOn) =>
            onChange({ channels: isOn ? [...chosen, channel] : chosen.filter((other) => other !== channel) })
          }
        />
      ))}
      {chosen.length === 0 && (
        <small role="status" className={typography['muted']}>
          {words.noChannel}
        </small>
      )}
    </>
  )
}

/** Fields for unusual files only. */
function FileFields({ draft: { assetKey, bands, isLate }, onChange }: RuleFieldsProps) {
  return (
    <details className={layout['stack12']}>
      <summary>{words.details}</summary>
      <TextField label={words.asset} required value={assetKey} onChange={(value) => onChange({ assetKey: value })} />
      <TextField
        label={words.bands}
        help={words.bandsHelp}
        error={readBands(bands) === null ? words.bandsError : null}
        spellCheck={false}
        value={bands}
        onChange={(value) => onChange({ bands: value })}
      />
      <CheckboxField label={words.isLate} checked={isLate} onChange={(value) => onChange({ isLate: value })} />
    </details>
  )
}
