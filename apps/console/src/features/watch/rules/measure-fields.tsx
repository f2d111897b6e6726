import { useState } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { SelectField, TextField, type Choice } from '../../../ui/field.tsx'
import { Section } from '../../../ui/screen.tsx'
import styles from '../watch.module.css'
import { isRange, readNumber, type RuleComparison, type RuleFieldsProps, type Statistic } from './rule-draft.ts'
import layout from '../../../ui/layout.module.css'

const words = alertsTexts.form
const toChoices = (labels: Readonly<Record<string, string>>): readonly Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const statistics = toChoices(alertsTexts.statistics)
const comparisons = toChoices(alertsTexts.comparisons)
const own = ''

/** The name, the measured expression, and the threshold of an alert. */
export function MeasureFields({ draft, onChange }: RuleFieldsProps) {
  return (
    <Section title={alertsTexts.rule}>
      <TextField
        label={words.name}
        placeholder={words.namePlaceholder}
        required
        maxLength={255}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <ExpressionFields draft={draft} onChange={onChange} />
      <SelectField
        label={words.statistic}
        value={draft.statistic}
        choices={statistics}
        onChange={(value) => onChange({ statistic: value as Statistic })}
      />
      <ThresholdFields draft={draft} onChange={onChange} />
    </Section>
  )
}

/** Indices by their names; anything else is written. */
function ExpressionFields({ draft: { expression }, onChange }: RuleFieldsProps) {
  const formulas = useOperation('band_formulas.list', {})
  const [isOwn, setOwn] = useState<boolean | null>(null)
  const choices = (formulas.data?.band_formulas ?? []).map(({ name, display_name, formula, is_template }) => ({
    value: is_template ? name.toLowerCase() : formula,
    label: display_name && display_name !== name ? `${name} · ${display_name}` : name,
  }))
  // An index can be chosen before the list has arrived.
  const isListed = choices.some(({ value }) => value === expression) || (!formulas.data && expression === 'ndvi')
  const isWritten = isOwn ?? !isListed
  const all = formulas.data ? choices : [{ value: expression, label: expression.toUpperCase() }]
  return (
    <>
      <SelectField
        label={words.what}
        value={isWritten ? own : expression}
        choices={[...all, { value: own, label: words.ownFormula }]}
        onChange={(value) => {
          setOwn(value === own)
          onChange({ expression: value === own ? 'b1' : value })
        }}
      />
      {isWritten && (
        <TextField
          label={words.expression}
          help={words.expressionHelp}
          required
          maxLength={2000}
          spellCheck={false}
          autoCapitalize="off"
          value={expression}
          onChange={(value) => onChange({ expression: value })}
        />
      )}
    </>
  )
}

function ThresholdFields({ draft: { comparison, threshold, upper }, onChange }: RuleFieldsProps) {
  const hasUpper = isRange(comparison)
  const [low, high] = [readNumber(threshold), readNumber(upper)]
  const isReversed = hasUpper && low !== null && high !== null && high < low
  const errorOf = (text: string): string | null =>
    text.trim() !== '' && readNumber(text) === null ? words.numberError : null
  return (
    <div className={`${layout['stack8']} ${styles['threshold']}`}>
      <SelectField
        label={words.comparison}
        value={comparison}
        choices={comparisons}
        onChange={(value) => onChange({ comparison: value as RuleComparison })}
      />
      <TextField
        label={hasUpper ? words.lower : words.threshold}
        inputMode="decimal"
        required
        value={threshold}
        error={errorOf(threshold)}
        onChange={(value) => onChange({ threshold: value })}
      />
      {hasUpper && (
        <TextField
          label={words.upper}
          inputMode="decimal"
          required
          value={upper}
          error={errorOf(upper) ?? (isReversed ? words.boundsHelp : null)}
          onChange={(value) => onChange({ upper: value })}
        />
      )}
    </div>
  )
}
