import { useEffect, useRef } from 'react'
import { texts } from '../../texts.ts'
import { commandGroups, type PaletteCommand } from './match-commands.ts'
import styles from './palette.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

export interface CommandListProps {
  readonly id: string
  /** In the order of their groups. */
  readonly commands: readonly PaletteCommand[]
  /** Index of the chosen command. */
  readonly current: number
  readonly onPoint: (index: number) => void
  readonly onRun: (command: PaletteCommand) => void
}

/** The commands under the headings of their groups; the focus stays in the text field. */
export function CommandList({ id, commands, current, onPoint, onRun }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, commands])
  const numbered = commands.map((command, index) => ({ command, index }))
  return (
    <div ref={list} id={id} className={styles['list']} role="listbox" aria-label={texts.palette.title}>
      {commandGroups.map((group) => {
        const members = numbered.filter(({ command }) => command.group === group)
        if (members.length === 0) return null
        return (
          <div key={group} role="group" aria-label={texts.palette.groups[group]}>
            <p className={`${typography['note']} ${styles['heading']}`} aria-hidden>
              {texts.palette.groups[group]}
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
