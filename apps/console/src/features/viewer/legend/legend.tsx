import { Image } from '../../../ui/image.tsx'
import { formatDate } from '../../../ui/format.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { listComposites } from '../picture/composites.ts'
import { formatValue } from '../picture/histogram.ts'
import { describeBands } from '../picture/picture.ts'
import type { Picture } from '../picture/picture.ts'
import type { PictureRead } from '../picture/use-picture.ts'
import { findColours, toGradient, useColormaps } from './use-colormaps.ts'
import styles from './legend.module.css'
import layout from '../../../ui/layout.module.css'

/** The meaning of the colours of a picture. */
export function Legend({ read }: { read: PictureRead }) {
  const { picture } = read
  if (!picture || !read.tiles) return null
  const { item, asset, query } = picture
  const composite = listComposites(asset).find(({ bands }) => bands === query.bands)
  const label = composite ? viewerTexts.composite[composite.name] : picture.label
  return (
    <div className={`${layout['stack4']} ${styles['legend']}`}>
      <p className={`${layout['grid']} ${layout['narrow']}`}>
        <strong>{label}</strong>
        <small>{[item.datetime && formatDate(item.datetime), item.name].filter(Boolean).join(' · ')}</small>
      </p>
      {picture.classes ? (
        <Classes classes={picture.classes} />
      ) : picture.isSingle ? (
        <Ramp read={read} />
      ) : (
        <Channels read={read} />
      )}
      {item.attribution && <small>{item.attribution}</small>}
    </div>
  )
}

/** More classes than this would cover the map. */
const max_classes = 24

function Classes({ classes }: { classes: NonNullable<Picture['classes']> }) {
  return (
    <ul className={layout['stack2']} aria-label={viewerTexts.classes}>
      {classes.slice(0, max_classes).map(({ value, name, color }) => (
        <li className={layout['line']} key={value}>
          <i style={{ background: color }} aria-hidden />
          <span>{name ?? value}</span>
        </li>
      ))}
      {classes.length > max_classes && <li>{viewerTexts.moreClasses(classes.length - max_classes)}</li>}
    </ul>
  )
}

const legend_px = { width: 200, height: 12 }

function Ramp({ read: { picture, ranges, isAutomatic } }: { read: PictureRead }) {
  const colormaps = useColormaps()
  const name = picture!.colormap
  const colours = findColours(colormaps, name)
  const [range] = ranges
  const path = `/v1/op/cog.colormaps?${new URLSearchParams({ format: 'png', name: name ?? '', width: '200', height: '12' })}`
  return (
    <>
      {colours ? (
        <div className={styles['ramp']} style={{ background: toGradient(colours) }} aria-hidden />
      ) : (
        colormaps.length > 0 && <Image path={path} alt="" {...legend_px} />
      )}
      {range && (
        <p className={`${layout['split']} figures ${styles['ends']}`}>
          <span>{formatValue(range[0])}</span>
          {isAutomatic && <small title={viewerTexts.automaticIs}>{viewerTexts.automaticShort}</small>}
          <span>{formatValue(range[1])}</span>
        </p>
      )}
    </>
  )
}

const channelColours = ['var(--channel-red)', 'var(--channel-green)', 'var(--channel-blue)']

function Channels({ read: { picture, histograms, ranges } }: { read: PictureRead }) {
  return (
    <ul className={layout['stack2']}>
      {viewerTexts.channels.map((channel, at) => {
        const band = histograms[at]
        const range = ranges[at]
        return (
          <li className={layout['line']} key={channel}>
            <i style={{ background: channelColours[at] }} aria-hidden />
            <span>{band ? describeBands(picture!.asset, band.band_name ?? band.name) : channel}</span>
            {range && !picture!.isNatural && <span className="figures">{range.map(formatValue).join(' – ')}</span>}
          </li>
        )
      })}
    </ul>
  )
}
