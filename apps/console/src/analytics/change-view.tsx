import { analyticsTexts } from '../texts/analytics.ts'
import { Facts } from '../ui/facts.tsx'
import { formatArea, formatCount, formatPercent, formatTime } from '../ui/format.ts'
import styles from './analytics.module.css'
import { formatMeasured, toLocalUrl, type ChangeResult } from './method-results.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

const words = analyticsTexts.change
const m2_per_km2 = 1e6

/** The change of an index between two dates: a picture, figures and files. */
export function ChangeView({ result }: { result: ChangeResult }) {
  const { statistics: figures, change_image, change_raster, change_threshold } = result
  const share = (count: number): string =>
    words.share(formatCount(count), formatPercent((100 * count) / Math.max(1, figures.compared_count)))
  // As the platform colours it.
  const end = change_threshold > 0 ? 3 * change_threshold : 1
  return (
    <>
      <figure className={`${layout['stack4']} ${styles['change']}`}>
        <img src={toLocalUrl(change_image.url)} alt={words.picture} />
        <figcaption className={`${layout['stack8']} figures`}>
          <span>
            {formatMeasured(-end)} {words.less}
          </span>
          <i aria-hidden />
          <span>
            {words.more} {formatMeasured(end)}
          </span>
        </figcaption>
      </figure>
      <Facts
        facts={[
          [words.changed, share(figures.changed_count)],
          [words.increased, share(figures.increased_count)],
          [words.decreased, share(figures.decreased_count)],
          [words.surface, figures.changed_area_m2 !== null && formatArea(figures.changed_area_m2 / m2_per_km2)],
          [words.mean, formatMeasured(figures.mean_change)],
          [words.range, `${formatMeasured(figures.min_change)} … ${formatMeasured(figures.max_change)}`],
          [words.compared, formatCount(figures.compared_count)],
        ]}
      />
      <p className={layout['facts']}>
        <a href={toLocalUrl(change_raster.url)} download>
          {words.raster}
        </a>
        <a href={toLocalUrl(change_image.url)} download>
          {words.image}
        </a>
      </p>
      <small className={typography['note']}>{words.until(formatTime(change_raster.expires_at))}</small>
    </>
  )
}
