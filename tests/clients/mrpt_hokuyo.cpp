/* SPDX-License-Identifier: Apache-2.0 */
/* A host written against MRPT's driver of Hokuyo scanners (not ours, not in this repository): what
 * any user of that class does. mrpt_hokuyo serial TTY | mrpt_hokuyo tcp ADDRESS PORT: connects,
 * measures, stops, and does it all again; prints what it saw, one "key value" a line. Exit code 1
 * when a call fails. */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <mrpt/hwdrivers/CHokuyoURG.h>
#include <mrpt/obs/CObservation2DRangeScan.h>

using mrpt::obs::CObservation2DRangeScan;

namespace
{

constexpr int scans = 20, rounds = 2;
constexpr double patience_s = 5.0;

/* The class keeps for its heirs what the scanner said of itself. */
class Scanner : public mrpt::hwdrivers::CHokuyoURG
{
  public:
    const TSensorInfo &info() const
    {
        return m_sensor_info;
    }
};

double now_s()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

int failed(const char *call)
{
    std::fprintf(stderr, "%s failed\n", call);
    return 1;
}

void print_identity(const Scanner &scanner)
{
    const auto &info = scanner.info();
    std::printf("model %s\n", info.model.c_str());
    std::printf("range_m %.3f %.3f\n", info.d_min, info.d_max);
    std::printf("steps %d %d %d of %d\n", info.scan_first, info.scan_last, info.scan_front,
                info.scans_per_360deg);
    std::printf("rpm %d\n", info.motor_speed_rpm);
}

/* The next scan; false when none comes in time. */
bool next_scan(Scanner &scanner, CObservation2DRangeScan &scan)
{
    for (double until = now_s() + patience_s; now_s() < until;) {
        bool is_there = false, has_failed = false;
        scanner.doProcessSimple(is_there, scan, has_failed);
        if (is_there) {
            return true;
        }
        if (has_failed) {
            std::fprintf(stderr, "doProcessSimple: hardware error\n");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

double range_at(const CObservation2DRangeScan &scan, double angle_deg)
{
    double first = -scan.aperture / 2.0;
    double step = scan.aperture / static_cast<double>(scan.getScanSize() - 1);
    auto i = static_cast<size_t>(std::lround((angle_deg * M_PI / 180.0 - first) / step));
    return scan.getScanRangeValidity(i) ? scan.getScanRange(i) : 0.0;
}

/* Mean ranges at known angles, and the time between scans by the scanner's stamps. */
int measure(Scanner &scanner, int round)
{
    static const int angles_deg[] = {-90, -45, 0, 45, 90};
    double sums[5] = {};
    double first = 0.0, last = 0.0;
    size_t points = 0;
    for (int i = 0; i < scans; i++) {
        CObservation2DRangeScan scan;
        if (!next_scan(scanner, scan)) {
            return failed("doProcessSimple");
        }
        points = scan.getScanSize();
        last = mrpt::Clock::toDouble(scan.timestamp);
        first =
            i == scans / 2 ? last : first; /* it trusts the scanner's clock only after a while */
        for (int k = 0; k < 5; k++) {
            sums[k] += range_at(scan, angles_deg[k]) / scans;
        }
    }
    std::printf("points_%d %zu\n", round, points);
    std::printf("period_s_%d %.4f\n", round, (last - first) / (scans - 1 - scans / 2));
    std::printf("ranges_m_%d %.4f %.4f %.4f %.4f %.4f\n", round, sums[0], sums[1], sums[2], sums[3],
                sums[4]);
    return 0;
}

int talk(Scanner &scanner, int round, bool wants_intensity)
{
    if (wants_intensity && !scanner.setIntensityMode(true)) {
        return failed("setIntensityMode");
    }
    if (!scanner.turnOn()) {
        return failed("turnOn");
    }
    print_identity(scanner);
    if (measure(scanner, round) != 0) {
        return 1;
    }
    return scanner.turnOff() ? 0 : failed("turnOff");
}

} // namespace

int main(int argc, char **argv)
{
    bool is_serial = argc == 3 && std::strcmp(argv[1], "serial") == 0;
    bool is_tcp = argc == 4 && std::strcmp(argv[1], "tcp") == 0;
    if (!is_serial && !is_tcp) {
        std::fprintf(stderr, "usage: mrpt_hokuyo serial TTY | mrpt_hokuyo tcp ADDRESS PORT\n");
        return 2;
    }
    for (int round = 1; round <= rounds; round++) { /* the second is a new connection */
        Scanner scanner;
        scanner.setVerbosityLevel(mrpt::system::LVL_INFO);
        if (is_serial) {
            scanner.setSerialPort(argv[2]);
        } else {
            scanner.setIPandPort(argv[2],
                                 static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)));
        }
        if (talk(scanner, round, is_tcp && round == rounds) != 0) {
            return 1;
        }
    }
    return 0;
}
