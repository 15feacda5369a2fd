import chromium from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'

// The package is made for cloud functions. In one process, a page that closes takes the browser with it, and
// without its security the browser would prove nothing about ours.
const UNWANTED = ['--single-process', '--no-zygote', '--disable-web-security', '--allow-running-insecure-content']

/** A real Chromium from an npm package. The first start on a machine unpacks it. */
export async function openBrowser(): Promise<Browser> {
  const args = chromium.args.filter((arg) => !UNWANTED.includes(arg))
  return await engine.launch({ executablePath: await chromium.executablePath(), args })
}
