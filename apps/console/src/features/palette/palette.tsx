import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type GoTo, useGoTo } from '../../map/use-go-to.ts'
import { paletteTexts } from '../../texts/palette.ts'
import { type PaletteCommand, commandGroups, matchCommands } from './match-commands.ts'
import styles from './palette.module.css'
import { type PalettePlace, morePlaces, operatorPlaces } from './more-places.ts'
import { useFoundCommands } from './use-found-commands.ts'
import { type OperationId, manifest } from '@swath/client/operations.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

interface CommandListProps {
  readonly id: string
  /** In the order of their groups. */
  readonly commands: readonly PaletteCommand[]
  /** Index of the chosen command. */
  readonly current: number
  readonly onPoint: (index: number) => void
  readonly onRun: (command: PaletteCommand) => void
}

/** The commands under the headings of their groups; the focus stays in the text field. */
function CommandList({ id, commands, current, onPoint, onRun }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, commands])
  const numbered = commands.map((command, index) => ({ command, index }))
  return (
    <div ref={list} id={id} className={styles['list']} role="listbox" aria-label={paletteTexts.title}>
      {commandGroups.map((group) => {
        const members = numbered.filter(({ command }) => command.group === group)
        if (members.length === 0) return null
        return (
          <div key={group} role="group" aria-label={paletteTexts.groups[group]}>
            <p className={`${typography['note']} ${styles['heading']}`} aria-hidden>
              {paletteTexts.groups[group]}
            </p>
            {members.map(({ command, index }) => (
              <div
                key={command.id}
                id={`${id}-${index}`}
                className={styles['command']}
                role="option"
                aria-selected={index === current}
                onPointerMove={() => onPoint(index)}
                onClick={() => onRun(command)}
              >
                <span className={typography['anywhere']}>{command.label}</span>
                {command.detail && <small className={layout['rigid']}>{command.detail}</small>}
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}

const { places: names } = paletteTexts

const readOperations = (Object.keys(manifest) as OperationId[]).filter((id) => manifest[id][0] === 'read')

/** The rail has this place for operators only. */
const isOperator = (places: readonly PalettePlace[]): boolean => places.some(({ path }) => path === '/admin')

/** The commands that are there without asking the platform: every place, and every operation that only reads. */
function useFixedCommands(places: readonly PalettePlace[], goTo: GoTo): readonly PaletteCommand[] {
  return useMemo(
    () => [
      ...[...places, ...morePlaces, ...(isOperator(places) ? operatorPlaces : [])].map(
        ({ path, label }): PaletteCommand => ({
          id: path,
          group: 'go',
          label,
          run: () => goTo(path),
        }),
      ),
      { id: '/docs', group: 'go', label: names.docs, run: () => location.assign('/docs') },
      ...readOperations.map((operation): PaletteCommand => ({
        id: `run ${operation}`,
        group: 'run',
        label: operation,
        run: () => goTo('/build/api', { operation }),
      })),
    ],
    [places, goTo],
  )
}

const max_per_group = 6

export interface PaletteProps {
  readonly places: readonly PalettePlace[]
  /** Commands of the frame, such as the appearance. */
  readonly commands: readonly PaletteCommand[]
  readonly onClose: () => void
}

/** The open command palette: a text field, and the commands that answer to its text. */
export function Palette({ places, commands, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list_id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const goTo = useGoTo()
  const fixed = useFixedCommands(places, goTo)
  const found = useFoundCommands(text, goTo)
  const all = [...fixed, ...commands, ...found]
  // The operations are too many to be looked through.
  const offered = text.trim() === '' ? all.filter(({ group }) => group === 'go') : all
  const matching = matchCommands(offered, text, text.trim() === '' ? offered.length : max_per_group)
  const current = Math.min(chosen, matching.length - 1)
  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    return () => element.close()
  }, [])
  const run = (command: PaletteCommand): void => {
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const command = matching[current]
    if (event.key === 'Enter' && command) run(command)
    else if (step !== undefined && matching.length > 0) setChosen((current + step + matching.length) % matching.length)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className={styles['palette']}
      aria-label={paletteTexts.title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target, currentTarget }) => {
        // The area outside of the content is the backdrop.
        if (target === currentTarget) onClose()
      }}
    >
      <div className={styles['content']}>
        <input
          className={styles['text']}
          role="combobox"
          aria-label={paletteTexts.placeholder}
          aria-expanded={matching.length > 0}
          aria-controls={list_id}
          aria-activedescendant={matching[current] ? `${list_id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={paletteTexts.placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setChosen(0)
          }}
          onKeyDown={press}
        />
        <CommandList id={list_id} commands={matching} current={current} onPoint={setChosen} onRun={run} />
        <p className={styles['status']} role="status">
          <span>{matching.length === 0 ? paletteTexts.none : paletteTexts.found(matching.length)}</span>
          <span aria-hidden>{paletteTexts.keys}</span>
        </p>
      </div>
    </dialog>
  )
}
