import { memorySource } from './source/memory.ts'
import { openRaster } from './tiff/open.ts'
import { readWindow } from './tiff/read.ts'
import { drawTile } from './draw/tile.ts'
import { lonLatBounds } from './crs/crs.ts'
import { tileAt } from '@swath/geo/tile-grid.ts'
import { globSync, readFileSync, statSync } from 'node:fs'
let s=Number(process.argv[2]??1); const rnd=()=>{s=(s*1103515245+12345)%2147483648;return s/2147483648}
const files=globSync('/work/shared/data/rasters/{formats,dem,landsat5-para,sentinel2-*,landsat-pucallpa}/*.tif').filter(f=>statSync(f).size<400000 && !/sparse|abel/.test(f))
const kinds=new Map<string,number>(); let worst=0; let worstF=''
for (let k=0;k<4000;k++){
  const f=files[Math.floor(rnd()*files.length)]!; const b=new Uint8Array(readFileSync(f))
  const head = rnd()<.7
  let bytes=b
  if (rnd()<.15) bytes=b.slice(0,Math.floor(rnd()*b.length))
  else for(let i=0;i<1+rnd()*6;i++){ const at=Math.floor(rnd()*(head?Math.min(b.length,2000):b.length)); bytes[at]=rnd()<.3?255:rnd()<.3?0:Math.floor(rnd()*256)}
  const t=performance.now()
  try { const r=await openRaster(memorySource(bytes,'x')); const l=r.levels.at(-1)!
    await readWindow(r,{level:0,window:[0,0,Math.min(r.width,600),Math.min(r.height,600)],budget_bytes:64e6})
    if (r.georeferenced && r.crs.proj4) { const [w,so,e,n]=lonLatBounds(r); const tl=tileAt((w+e)/2,(so+n)/2,8); if(Number.isFinite(tl.x)&&Number.isFinite(tl.y)) await drawTile(r,{...tl,size:256,resampling:'bilinear'})}
    kinds.set('ok',(kinds.get('ok')??0)+1)
  } catch(e){ const kind=(e as any).kind ?? 'BUG '+(e as Error).stack?.slice(0,300); kinds.set(kind,(kinds.get(kind)??0)+1) }
  const ms=performance.now()-t; if(ms>worst){worst=ms;worstF=f+' k'+k}
}
console.log(kinds, worst, worstF, process.memoryUsage().rss/1e6)
