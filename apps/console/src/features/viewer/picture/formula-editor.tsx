import type { Visualization } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { Check, Play, Save } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../../api/problem.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import type { Style } from '../state/style.ts'
import styles from '../viewer.module.css'
import { locateFault } from './formula-fault.ts'
import type { Picture } from './picture.ts'
import layout from '../../../ui/layout.module.css'

interface FormulaEditorProps {
  readonly picture: Picture
  readonly presets: readonly Visualization[]
  readonly style: Style
  readonly onShow: (style: Partial<Style>) => void
}

const rest_ms = 300
const defaultColormap = 'viridis'
/** Few bins: the formula is only checked. */
const check_bins = 2

/** A value once it has not changed for a moment. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest_ms)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** The platform's message about the formula itself, else the sentence of the problem. */
function explainFormula(error: unknown): string {
  const errors = error instanceof ApiProblem ? (error.document['errors'] as FieldMessage[] | undefined) : undefined
  const sentence = errors?.find(({ path }) => path === 'expression')?.message ?? explain(error).text
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${sentence.endsWith('.') ? '' : '.'}`
}

interface FieldMessage {
  readonly path: string
  readonly message: string
}

/** A formula of one's own, checked against the bands of the item while it is written. */
export function FormulaEditor({ picture, presets, style, onShow }: FormulaEditorProps) {
  const [draft, setDraft] = useState(style.formula ?? '')
  const [colours, setColours] = useState<Partial<Style>>({})
  const field = useRef<HTMLDivElement>(null)
  const { formula, sentence, isValid, help } = useFormulaCheck(draft, picture)
  const show = (): void => {
    if (isValid) onShow({ colormap: style.colormap ?? defaultColormap, ...colours, formula })
  }
  const insert = (name: string): void => {
    const area = field.current?.querySelector('textarea')
    const [start, end] = [area?.selectionStart ?? draft.length, area?.selectionEnd ?? draft.length]
    setDraft(`${draft.slice(0, start)}${name}${draft.slice(end)}`)
    area?.focus()
  }
  return (
    <>
      <FormulaSource
        presets={presets}
        onChoose={(chosen, chosenColours) => {
          setDraft(chosen)
          setColours(chosenColours)
        }}
      />
      <div ref={field} className={styles['formula']}>
        <TextAreaField
          label={viewerTexts.formulaLabel}
          value={draft}
          rows={2}
          spellCheck={false}
          autoCapitalize="off"
          help={help}
          error={sentence}
          onChange={setDraft}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            show()
          }}
        />
        {sentence !== null && <FaultMark formula={formula} sentence={sentence} />}
      </div>
      <BandWords picture={picture} onInsert={insert} />
      <div className={`${layout['spread']} ${styles['row']}`}>
        <Button kind="primary" icon={Play} disabled={!isValid} onClick={show}>
          {viewerTexts.formulaApply}
        </Button>
      </div>
      {isValid && <SaveFormula formula={formula} picture={picture} />}
    </>
  )
}

/** Asks the platform whether a formula is valid for an item. */
function useFormulaCheck(draft: string, { item, query }: Picture) {
  const formula = useRested(draft).trim()
  const source = query.asset_key ? { asset_key: query.asset_key } : {}
  const check = useOperation(
    'items.tile.histogram',
    { item_id: item.id, ...source, expression: formula, bins: check_bins },
    { enabled: formula !== '' },
  )
  const isEmpty = draft.trim() === ''
  const isChecked = !isEmpty && formula === draft.trim() && !check.isPending
  const isValid = isChecked && check.isSuccess
  const sentence = isChecked && check.isError ? explainFormula(check.error) : null
  const { formulaHelp, formulaValid, formulaChecking } = viewerTexts
  return { formula, sentence, isValid, help: isEmpty ? formulaHelp : isValid ? formulaValid : formulaChecking }
}

/** The bands as words that can be inserted. */
function BandWords({ picture, onInsert }: { picture: Picture; onInsert: (word: string) => void }) {
  return (
    <div className={`${layout['chips']} ${styles['chips']}`} role="group" aria-label={viewerTexts.bands}>
      {picture.asset.bands.map(({ number, name, role }) => {
        const word = role ?? (name && /^[A-Za-z_]\w*$/.test(name) ? name : `b${number}`)
        return (
          <button
            className={`${layout['raised']} ${layout['choice']}`}
            key={number}
            type="button"
            aria-label={viewerTexts.formulaInsert(word)}
            onClick={() => onInsert(word)}
          >
            {word}
          </button>
        )
      })}
    </div>
  )
}

/** The formula with the wrong part marked. */
function FaultMark({ formula, sentence }: { formula: string; sentence: string }) {
  const fault = locateFault(formula, sentence)
  if (!fault) return null
  const part = formula.slice(fault.start, fault.end)
  return (
    <pre className={styles['fault']} aria-label={`${viewerTexts.formulaHere}: ${part || viewerTexts.formulaHere}`}>
      {formula.slice(0, fault.start)}
      <mark>{part || ' '}</mark>
      {formula.slice(fault.end)}
    </pre>
  )
}

interface FormulaSourceProps {
  readonly presets: readonly Visualization[]
  readonly onChoose: (formula: string, colours: Partial<Style>) => void
}

/** Formulas of the platform and of the organization to begin with. */
function FormulaSource({ presets, onChoose }: FormulaSourceProps) {
  const saved = useOperation('band_formulas.list', {})
  const rows = saved.data?.band_formulas ?? []
  const possible = new Set(presets.map(({ id }) => id))
  const isUsable = (row: (typeof rows)[number]): boolean => !row.is_template || possible.has(row.name.toLowerCase())
  const choices = rows.filter(isUsable).map((row) => ({ value: row.id, label: row.display_name ?? row.name }))
  if (choices.length === 0) return null
  return (
    <SelectField
      label={viewerTexts.formulaFrom}
      value=""
      choices={[{ value: '', label: viewerTexts.formulaOwn }, ...choices]}
      onChange={(id) => {
        const row = rows.find((candidate) => candidate.id === id)
        if (row) onChoose(row.formula, { colormap: row.colormap, range: row.value_range.join(',') || null })
      }}
    />
  )
}

function SaveFormula({ formula, picture }: { formula: string; picture: Picture }) {
  const [name, setName] = useState('')
  const save = useCommand('band_formulas.create', ['band_formulas.list'])
  const input = { name: name.trim(), formula, colormap: picture.colormap ?? defaultColormap }
  return (
    <>
      <form
        className={`${layout['spread']} ${styles['row']}`}
        onSubmit={(event) => {
          event.preventDefault()
          if (input.name !== '') save.mutate(input)
        }}
      >
        <TextField label={viewerTexts.formulaName} value={name} onChange={setName} />
        <Button type="submit" icon={save.isSuccess ? Check : Save} isPending={save.isPending}>
          {save.isSuccess ? viewerTexts.formulaSaved : viewerTexts.formulaSave}
        </Button>
      </form>
      {save.isError && <ProblemNote error={save.error} />}
    </>
  )
}
