import { Settings, type LucideIcon } from 'lucide-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { formatCount } from '../../../ui/format.ts'
import { isFileDrag, isItemDrag, readItemDrag } from '../list/drag-items.ts'
import styles from './library-tree.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

export interface TreeRowProps {
  readonly icon?: LucideIcon
  /** In place of an icon. */
  readonly colour?: string
  readonly name: string
  readonly note?: string | null
  readonly count?: number | undefined
  readonly isCurrent: boolean
  /** Undefined for a row that cannot be opened. */
  readonly isOpen?: boolean
  readonly settings?: Pick<LinkProps, 'to' | 'params'>
  readonly onOpen: () => void
  readonly onItems?: (ids: readonly string[]) => void
  readonly onFiles?: (files: readonly File[]) => void
  readonly children?: ReactNode
}

/** A project or a collection. */
export function TreeRow(props: TreeRowProps) {
  const {
    icon: Icon,
    colour,
    name,
    note,
    count,
    isCurrent,
    isOpen,
    settings,
    onOpen,
    onItems,
    onFiles,
    children,
  } = props
  const [isOver, setOver] = useState(false)
  return (
    <li className={layout['narrow']}>
      <div
        className={`${layout['choice']} ${styles['row']}`}
        data-current={isCurrent}
        data-over={isOver}
        onDragOver={(event) => {
          if (!(onItems && isItemDrag(event)) && !(onFiles && isFileDrag(event))) return
          event.preventDefault()
          event.stopPropagation()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false)
          if (onItems && isItemDrag(event)) {
            event.preventDefault()
            onItems(readItemDrag(event))
          } else if (onFiles && isFileDrag(event)) {
            event.preventDefault()
            event.stopPropagation()
            onFiles([...event.dataTransfer.files])
          }
        }}
      >
        <button
          className={`${layout['fill']} ${layout['narrow']} ${typography['normal']} ${layout['line']}`}
          type="button"
          aria-current={isCurrent || undefined}
          aria-expanded={isOpen}
          onClick={onOpen}
        >
          {Icon && <Icon size={16} aria-hidden data-open={isOpen} />}
          {!Icon && (
            <span
              className={`${layout['rigid']} ${styles['dot']}`}
              style={colour ? { background: colour } : undefined}
            />
          )}
          <span className={`${typography['clip']} ${layout['fill']}`}>{name}</span>
          {note && <small>{note}</small>}
          {count !== undefined && (
            <small className="figures" title={libraryTexts.tree.itemCount(count)}>
              {formatCount(count)}
            </small>
          )}
        </button>
        {settings && (
          <Link
            {...settings}
            search={keepView}
            className={`${layout['center']} ${layout['square']} ${layout['rigid']}`}
            aria-label={libraryTexts.tree.settings(name)}
            title={libraryTexts.tree.settings(name)}
          >
            <Settings size={16} aria-hidden />
          </Link>
        )}
      </div>
      {children}
    </li>
  )
}
