import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { useSettled } from '../../../api/use-settled.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Image } from '../../../ui/image.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import styles from '../analyse.module.css'
import { max_sources } from '../state/analyse-url.ts'
import { toFoundSource } from './analysed-item.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts
const max_found = 30
const picture_px = 40

const contains = (property: string, text: string): object => ({
  op: 'like',
  args: [
    { op: 'casei', args: [{ property }] },
    { op: 'casei', args: [`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`] },
  ],
})

const toSearch = (text: string): InputOf<'stac.search'> => ({
  limit: max_found,
  sortby: [{ field: 'created_at', direction: 'desc' }],
  ...(text ? { filter: { op: 'or', args: [contains('title', text), contains('place', text)] } } : {}),
})

interface ItemPickerProps {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The images of the library, the newest first: each is taken or left by its box. */
export function ItemPicker({ chosen, onChange }: ItemPickerProps) {
  const [text, setText] = useState('')
  const found = useOperation('stac.search', toSearch(useSettled(text.trim())))
  const toggle = (id: string): void =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(0, max_sources))
  return (
    <div className={`${layout['stack8']} ${layout['boxed']} ${layout['raised']}`}>
      <TextField label={words.findItems} type="search" value={text} onChange={setText} />
      <QueryView query={found} rows={4}>
        {({ features }) => {
          const items = features.flatMap((feature) => toFoundSource(feature) ?? [])
          if (items.length === 0) return <NothingFound isSearch={text !== ''} />
          return (
            <ul className={`${layout['stack2']} ${styles['found']}`}>
              {items.map(({ id, title, at }) => (
                <li key={id}>
                  <label className={`${layout['line']} ${layout['choice']}`}>
                    <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
                    <Image path={previewPath(id, 2 * picture_px)} alt="" width={picture_px} height={picture_px} />
                    <span className={`${layout['grid']} ${layout['fill']} ${layout['narrow']}`}>
                      <strong className={`${typography['clip']} ${typography['medium']}`}>{title}</strong>
                      <small>{at ? formatDate(at) : words.unknownDate}</small>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </div>
  )
}

const NothingFound = ({ isSearch }: { isSearch: boolean }) => (
  <EmptyState icon={Search} title={isSearch ? words.noItemsFound : words.noItems}>
    {!isSearch && (
      <Link to="/explore" search={keepView}>
        {words.toExplore}
      </Link>
    )}
  </EmptyState>
)
