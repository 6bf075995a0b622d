"""The contrast of texts with their background (WCAG 2.2, 1.4.3), from the styles that the browser has computed."""

# Returns the visible texts with a contrast below 4.5 : 1, each with its contrast.
FAINT_TEXTS = """
() => {
  const parse = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    return {rgb: [red, green, blue], alpha};
  };
  const over = (top, alpha, bottom) => top.map((value, index) => value * alpha + bottom[index] * (1 - alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => value / 255)
        .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element) => {
    if (!element) return [255, 255, 255];
    const {rgb, alpha} = parse(getComputedStyle(element).backgroundColor);
    return alpha === 1 ? rgb : over(rgb, alpha, background(element.parentElement));
  };
  const opacity = (element) => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility({visibilityProperty: true})) continue;
    // Controls that are busy or disabled are not active (WCAG 2.2, 1.4.3).
    if (element.closest('[aria-busy=true], :disabled, noscript')) continue;
    const ground = background(element);
    const style = getComputedStyle(element);
    const {rgb, alpha} = parse(element.closest('svg') ? style.fill : style.color);
    const ink = over(rgb, alpha * opacity(element), ground);
    const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) faint.push(`${text.slice(0, 40)} (${ratio.toFixed(2)})`);
  }
  return faint;
}
"""
