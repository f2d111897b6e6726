import { useEffect, useState } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { explain } from '../../../api/problem.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { Cql2SyntaxError } from './cql2-tokens.ts'
import styles from './filter-bar.module.css'
import { isFilterProblem } from './filter-problem.ts'
import { readFilterText, type FilterParts } from './filter-text.ts'
import { excerptOf, findUnknownProperty, locateProblem, type Mistake } from './locate-mistake.ts'
import { parseCql2Text } from './parse-cql2-text.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = libraryTexts.search

export interface CqlFieldProps {
  /** All filters that hold. */
  readonly text: string
  readonly onApply: (filters: FilterParts) => void
  /** The filter of the search, and why the platform does not accept it. */
  readonly filter: InputOf<'stac.search'>['filter']
  readonly error: unknown
}

function findMistake(text: string): Mistake | null {
  try {
    if (text.trim() !== '') parseCql2Text(text)
    return null
  } catch (error) {
    if (error instanceof Cql2SyntaxError) return error
    throw error
  }
}

function findProblem(text: string, filter: CqlFieldProps['filter'], error: unknown): Mistake | null {
  if (text === '' || !isFilterProblem(error)) return null
  return locateProblem(error, filter, text) ?? { message: explain(error).text, at: null }
}

/** All filters as one CQL2 text; its mistake is shown below it, with its place. */
export function CqlField({ text, onApply, filter, error }: CqlFieldProps) {
  const [typed, setTyped] = useState(text)
  const [isChecked, setChecked] = useState(true)
  useEffect(() => setTyped(text), [text])
  const mistake = isChecked ? (findMistake(typed) ?? (typed === text ? findProblem(text, filter, error) : null)) : null
  return (
    <form
      className={`${layout['stack8']} ${styles['cql']}`}
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (!findMistake(typed)) onApply(readFilterText(typed))
      }}
    >
      <TextAreaField
        label={words.cql}
        help={words.cqlHelp}
        error={mistake && (mistake.at === null ? mistake.message : words.mistake(mistake.message, mistake.at))}
        value={typed}
        rows={3}
        spellCheck={false}
        onChange={(value) => {
          setTyped(value)
          setChecked(false)
        }}
      />
      {mistake && mistake.at !== null && <Excerpt text={typed} at={mistake.at} />}
      {!mistake && isChecked && <UnknownProperty text={typed} />}
      <div className={`${layout['wrap']} ${styles['actions']}`}>
        <Button type="submit" disabled={typed === text && !mistake}>
          {words.apply}
        </Button>
        <Properties onChoose={(name) => setTyped(typed === '' ? name : `${typed} AND ${name}`)} />
      </div>
    </form>
  )
}

function Excerpt({ text, at }: { text: string; at: number }) {
  const [before, wrong, after] = excerptOf(text, at)
  return (
    <code className={styles['excerpt']}>
      {before}
      <mark>{wrong || ' '}</mark>
      {after}
    </code>
  )
}

/** The properties that conditions can use, besides those that are set by the platform. */
function useQueryables(): readonly string[] {
  const { data } = useOperation('stac.queryables', {})
  return data ? Object.keys(data.properties) : []
}

function UnknownProperty({ text }: { text: string }) {
  const known = useQueryables()
  if (known.length === 0 || text.trim() === '') return null
  const unknown = findUnknownProperty(text, parseCql2Text(text), new Set([...known, 'project_id', 'title']))
  if (!unknown) return null
  return (
    <p role="status" className={typography['note']}>
      {words.unknownProperty(unknown.name)}
    </p>
  )
}

function Properties({ onChoose }: { onChoose: (name: string) => void }) {
  const known = useQueryables()
  if (known.length === 0) return null
  return (
    <details className={`${layout['fill']} ${typography['note']}`}>
      <summary>{words.ofItems}</summary>
      <ul>
        {known.map((name) => (
          <li key={name}>
            <button className={layout['choice']} type="button" onClick={() => onChoose(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
