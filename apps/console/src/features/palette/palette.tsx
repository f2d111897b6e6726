import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useGoTo } from '../../map/use-go-to.ts'
import { texts } from '../../texts.ts'
import { CommandList } from './command-list.tsx'
import { matchCommands, type PaletteCommand } from './match-commands.ts'
import styles from './palette.module.css'
import type { PalettePlace } from './more-places.ts'
import { useFixedCommands } from './use-commands.ts'
import { useFoundCommands } from './use-found-commands.ts'

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
      aria-label={texts.palette.title}
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
          aria-label={texts.palette.placeholder}
          aria-expanded={matching.length > 0}
          aria-controls={list_id}
          aria-activedescendant={matching[current] ? `${list_id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.palette.placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setChosen(0)
          }}
          onKeyDown={press}
        />
        <CommandList id={list_id} commands={matching} current={current} onPoint={setChosen} onRun={run} />
        <p className={styles['status']} role="status">
          <span>{matching.length === 0 ? texts.palette.none : texts.palette.found(matching.length)}</span>
          <span aria-hidden>{texts.palette.keys}</span>
        </p>
      </div>
    </dialog>
  )
}
