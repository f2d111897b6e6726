import { Link } from '@tanstack/react-router'
import type { Job } from '@swath/client/operations.ts'
import { ItemLayer } from '../../../map/item-layer.tsx'
import { keepView } from '../../../map/keep-view.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Image } from '../../../ui/image.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { Section } from '../../../ui/screen.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { AnalysedItem } from '../sources/analysed-item.ts'
import { ItemFootprints } from '../sources/item-footprints.tsx'
import { useSources } from '../sources/use-sources.ts'
import { isOpen } from './job-states.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import button from '../../../ui/button.module.css'

const words = analyseTexts
const picture_px = 152

const viewSearch =
  (ids: readonly string[]) =>
  (previous: { v?: string }): Record<string, string> => ({ ...keepView(previous), items: ids.join(',') })

/** The items that a job wrote: as pictures, on the map, and on their way into the viewer. */
export function JobResults({ job }: { job: Job }) {
  const { items, isLoading } = useSources(job.item_ids)
  if (items.length === 0)
    return isOpen(job) || isLoading ? (
      <Section title={words.results}>
        {isLoading ? (
          <Skeleton rows={1} height_px={picture_px} />
        ) : (
          <p className={typography['note']}>{words.noResults}</p>
        )}
      </Section>
    ) : null
  const ids = items.map(({ id }) => id)
  return (
    <Section
      title={words.results}
      actions={
        <Link to="/view" search={viewSearch(ids) as never} className={`${button['button']} ${button['primary']}`}>
          {words.view}
        </Link>
      }
    >
      <ul className={layout['pictures']}>
        {items.map(({ id, title }) => (
          <li className={`${layout['stack4']} ${layout['narrow']}`} key={id}>
            <Link to="/view" search={viewSearch([id]) as never} aria-label={`${words.view} ${title}`}>
              <Image path={previewPath(id, 2 * picture_px)} alt="" width={picture_px} height={picture_px} />
            </Link>
            <strong className={`${typography['medium']} ${typography['anywhere']}`}>{title}</strong>
            <Link to="/library/items/$itemId" params={{ itemId: id }} search={keepView}>
              {words.open}
            </Link>
          </li>
        ))}
      </ul>
      <small className={typography['note']}>{words.onMap}</small>
      <ResultsOnMap jobId={job.id} items={items} />
    </Section>
  )
}

function ResultsOnMap({ jobId, items }: { jobId: string; items: readonly AnalysedItem[] }) {
  const fitKey = `${jobId} ${items.map(({ id }) => id).join(',')}`
  return (
    <>
      <ItemFootprints layer="job-items" fitKey={fitKey} items={items} isFilled={false} />
      {items.map(({ id }) => (
        <ItemLayer key={id} id={`job-item-${id}`} itemId={id} below="job-items-fill" />
      ))}
    </>
  )
}
